// Jobs: their start, their steps, progress, cancellation and time limits.
// Source: basic/utilities/progress and basic/utilities/cancellation, 2025-11-25.
#include "mcp/job.hpp"

#include <cstring>

#include "json/value.hpp"
#include "mcp/server.hpp"
#include "protocol/request.hpp"

namespace mcp {

using detail::Job;
using detail::StorageView;
using protocol::Outbound;

/// Takes the steps of jobs, into the window of their session.
class JobRunner {
 public:
  explicit JobRunner(Outbound& outbound) : outbound_(outbound), storage_(outbound.storage), out_(outbound.out) {}

  /// Writes what is due for this job, if anything is. True when a message was written.
  bool run(memory::Handle handle) {
    Job& job = *storage_.jobs.find(handle);
    if (job.progress_due && write_progress(handle.index, job)) return true;
    if (is_too_late(job, outbound_.now)) return answer_too_late(handle, job), true;
    if (static_cast<std::int32_t>(outbound_.now - job.wake_ms) < 0) return false;
    return step(handle, job);
  }

  /// The last step, of which nothing is sent. The slot stays.
  void end(memory::Handle handle) {
    Job& job = *storage_.jobs.find(handle);
    const json::Writer::Mark start = out_.mark();
    JobContext context(out_, known(), job, outbound_.now, true);
    static_cast<void>(job.tool->job->step(storage_.job_state(handle.index), context));
    out_.rollback(start);
  }

  static bool is_too_late(const Job& job, Millis now) {
    const Millis limit = job.tool->job->time_limit_ms;
    return limit != 0 && now - job.started_ms >= limit;
  }

 private:
  [[nodiscard]] Content::Known known() const { return protocol::revisions[outbound_.session.revision].content; }

  bool step(memory::Handle handle, Job& job) {
    rpc::Response response = begin_result(handle.index, job);
    JobContext context(out_, known(), job, outbound_.now, false);
    const Step next = job.tool->job->step(storage_.job_state(handle.index), context);
    if (next.kind_ == Step::Kind::done) {
      protocol::end_tool_result(response, context, next.errc_);
      storage_.jobs.release(handle);
      return true;
    }
    response.discard();
    job.wake_ms = outbound_.now + next.sleep_ms_;
    return job.progress_due && write_progress(handle.index, job);
  }

  void answer_too_late(memory::Handle handle, Job& job) {
    end(handle);
    rpc::Response response = begin_result(handle.index, job);
    Call call(out_, known());
    protocol::end_tool_result(response, call, call.fail("The time limit of this tool passed before it was done."));
    storage_.jobs.release(handle);
  }

  rpc::Response begin_result(std::size_t index, const Job& job) {
    rpc::Response response(out_, {storage_.job_id(index), job.id_size});
    response.result_begin();
    out_.fragment("\"content\":[");
    return response;
  }

  // False when it does not fit, with its token and text: then there is no news.
  bool write_progress(std::size_t index, Job& job) {
    job.progress_due = false;
    const json::Writer::Mark start = out_.mark();
    out_.fragment("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":");
    out_.raw(std::string_view(storage_.job_token(index), job.token_size));
    out_.member("progress", job.progress);
    if (job.total != 0) out_.member("total", job.total);
    out_.optional_member("message", job.message);
    out_.fragment("}}");
    if (!out_.ok()) out_.rollback(start);
    return out_.size() != 0;
  }

  Outbound& outbound_;
  const StorageView& storage_;
  json::Writer& out_;
};

void JobContext::progress(std::uint32_t progress, std::uint32_t total, json::Text message) {
  if (job_.token_size == 0 || (job_.has_progress && progress <= job_.progress)) return;
  job_.progress = progress;
  job_.total = total;
  job_.message = message;
  job_.has_progress = job_.progress_due = true;
}

namespace {

/// The handle of the job `index` if it belongs to this session, else the zero handle.
memory::Handle job_of(const StorageView& storage, std::size_t index, std::size_t session_index) {
  const memory::Handle handle = storage.jobs.at(index);
  const Job* const job = storage.jobs.find(handle);
  return job != nullptr && job->session.index == session_index ? handle : memory::Handle{};
}

/// The job that answers the request `id` (as it stood there), or the zero handle.
memory::Handle find_job(const StorageView& storage, std::size_t session_index, std::string_view id) {
  for (std::size_t i = 0; i < storage.jobs.capacity(); ++i) {
    const memory::Handle handle = job_of(storage, i, session_index);
    if (handle == memory::Handle{}) continue;
    if (json::equal(std::string_view(storage.job_id(i), storage.jobs.find(handle)->id_size), id)) return handle;
  }
  return {};
}

/// The bytes of the request's progress token as they stand there; empty when it has none that can be kept.
std::string_view progress_token(const protocol::Request& request) {
  const json::Value token = json::find_member(json::find_member(request.params, "_meta"), "progressToken");
  const bool valid = token.is(json::Type::string) || token.is(json::Type::number);
  const std::string_view raw = valid ? token.raw() : std::string_view();
  return raw.size() <= request.storage.id_size ? raw : std::string_view();
}

}  // namespace

void* Call::begin_job(const Tool& tool) {
  protocol::Request& request = *request_;
  const StorageView& storage = request.storage;
  if (find_job(storage, request.session_index, request.id()) != memory::Handle{}) {
    request.fail(rpc::invalid_request, "A request with this id is still running.");
    return nullptr;
  }
  const memory::Handle handle = storage.jobs.acquire();
  if (handle == memory::Handle{}) {
    const Errc errc =
        fail("This device runs ", storage.jobs.capacity(), " such calls at most; try again when one has ended.");
    protocol::end_tool_result(request, *this, errc);
    return nullptr;
  }
  Job& job = *storage.jobs.find(handle);
  job.tool = &tool;
  job.session = storage.sessions.at(request.session_index);
  job.started_ms = job.wake_ms = request.now;
  const std::string_view id = request.id();
  job.id_size = static_cast<std::uint16_t>(id.size());
  std::memcpy(storage.job_id(handle.index), id.data(), id.size());
  const std::string_view token = progress_token(request);
  job.token_size = static_cast<std::uint16_t>(token.size());
  if (!token.empty()) std::memcpy(storage.job_token(handle.index), token.data(), token.size());
  job_ = handle.index;
  return storage.job_state(handle.index);
}

Errc Call::end_begin_job(Errc errc) {
  if (errc == Errc::ok) {
    request_->discard();
    return Errc::handled;
  }
  request_->storage.jobs.release(request_->storage.jobs.at(job_));
  return errc;
}

namespace protocol {
namespace {

bool transmit(Outbound& outbound) {
  for (std::size_t i = 0; i < outbound.storage.jobs.capacity(); ++i) {
    const memory::Handle handle = job_of(outbound.storage, i, outbound.session_index);
    if (handle != memory::Handle{} && JobRunner(outbound).run(handle)) return true;
  }
  return false;
}

Millis due(const StorageView& storage, Millis now) {
  Millis earliest = forever;
  const auto sooner = [&](Millis at) {
    const Millis in = static_cast<std::int32_t>(at - now) > 0 ? at - now : 0;
    if (in < earliest) earliest = in;
  };
  for (std::size_t i = 0; i < storage.jobs.capacity(); ++i) {
    const Job* const job = storage.jobs.find(storage.jobs.at(i));
    if (job == nullptr) continue;
    sooner(job->progress_due ? now : job->wake_ms);
    if (job->tool->job->time_limit_ms != 0) sooner(job->started_ms + job->tool->job->time_limit_ms);
  }
  return earliest;
}

void close(Outbound& outbound) {
  for (std::size_t i = 0; i < outbound.storage.jobs.capacity(); ++i) {
    const memory::Handle handle = job_of(outbound.storage, i, outbound.session_index);
    if (handle == memory::Handle{}) continue;
    JobRunner(outbound).end(handle);
    outbound.storage.jobs.release(handle);
  }
}

// A cancelled request gets no answer; what is unknown or done is ignored.
void cancelled(Request& request) {
  const json::Value id = json::find_member(request.params, "requestId");
  if (!id.present()) return;
  const memory::Handle handle = find_job(request.storage, request.session_index, id.raw());
  if (handle == memory::Handle{}) return;
  Outbound outbound{request.definition, request.storage, request.session_index,
                    request.session,    request.out,     request.now};
  JobRunner(outbound).end(handle);
  request.storage.jobs.release(handle);
}

constexpr Method methods[] = {{"notifications/cancelled", cancelled}};

}  // namespace

constinit const Feature jobs_feature{methods, nullptr, transmit, due, close};

}  // namespace protocol
}  // namespace mcp
