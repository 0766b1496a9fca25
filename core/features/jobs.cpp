// SPDX-License-Identifier: Apache-2.0
// Jobs: their start, their steps, progress, cancellation and time limits.
// Source: basic/utilities/progress and basic/utilities/cancellation, 2025-11-25.
#include <cstring>

#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/owned.hpp"
#include "engine/owners.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "engine/send_context.hpp"
#include "engine/session_slot.hpp"
#include "features/job_runner.hpp"
#include "features/pending_input.hpp"
#include "features/task_pool.hpp"
#include "features/tools.hpp"
#include "mcp/assert.hpp"
#include "mcp/call_options.hpp"
#include "mcp/detail/revision.hpp"
#include "mcp/job.hpp"
#include "mcp/json/value.hpp"
#include "mcp/rpc/envelope.hpp"
#include "mcp/server.hpp"
#include "rpc/same_id.hpp"

namespace mcp {

using detail::Job;
using detail::Parked;
using detail::StorageView;
using detail::TaskStatus;
using protocol::SendContext;

namespace {

// How long a job waits for notifications/initialized. Without this limit, a client that never sends it would hold the
// slots forever.
constexpr Millis initialized_timeout_ms = 60'000;

bool is_early(const StorageView& storage, const Job& job) {
  return !job.client.stateless && storage.sessions.at(job.session).phase != detail::Phase::ready;
}

// Of the job in `now - job.started_ms`; 0: none.
Millis limit_of(const StorageView& storage, const Job& job) {
  const Millis limit = job.tool->job->time_limit_ms;
  return is_early(storage, job) && (limit == 0 || limit > initialized_timeout_ms) ? initialized_timeout_ms : limit;
}

bool is_too_late(const StorageView& storage, const Job& job, Millis now) {
  const Millis limit = limit_of(storage, job);
  return limit != 0 && now - job.started_ms >= limit;
}

bool is_task(const Job& job) { return job.task != memory::Handle{}; }

// True while the input request of a task waits for a tasks/result.
bool is_unasked(const StorageView& storage, const Job& job) {
  return job.input_id != 0 && is_task(job) && storage.tasks.at(job.task).input_timeout_ms != 0;
}

}  // namespace

bool JobRunner::run(memory::Handle handle) {
  Job& job = storage_.jobs.at(handle);
  if (job.parked != Parked::no) return false;
  context_.client = job.client;
  const bool early = is_early(storage_, job);
  // A task needs no stream: its job runs without one. Progress is sent while a stream is open.
  if (!is_task(job) && !is_for(job)) return false;
  if (!early && job.progress_due && is_for(job) && write_progress(handle.index, job)) return true;
  if (is_too_late(storage_, job, context_.now)) return answer_too_late(handle, job);
  if (early) return false;
  if (job.input_id != 0) return storage_.links.input_requests->overdue(context_, job);
  if (protocol::until(job.wake_ms, context_.now) != 0) return false;
  // A stateless task has no waiting request: its input requests only have a timeout.
  if (job.client.stateless) protocol::PendingInput::settle(job.inputs, protocol::PendingInput::timed_out);
  const json::Writer::Mark start = out_.mark();
  return end_round(handle, start, step(handle, Answer(Outcome::none)));
}

bool JobRunner::step(memory::Handle handle, const Answer& answer, json::Value responses) {
  Job& job = storage_.jobs.at(handle);
  MCP_DEBUG_ASSERT(job.parked == Parked::no);
  context_.client = job.client;
  json::Writer buffer = buffer_of(job);
  rpc::Response response = begin_result(is_task(job) ? buffer : out_, handle.index, job);
  AskContext context(response, protocol::known_by(context_.client), context_, job, false, answer, responses);
  context_.job = handle;
  job.stepping = true;
  const Step next = job.tool->job->step(storage_.job_state(handle.index), context);
  context_.job = {};
  job.stepping = false;
  const InputRequestWriter& writer = context.input_writer();
  const bool asks = next.kind_ == Step::Kind::ask;
  // A step that sends an input request returns what it got for it, or again() if nothing could be sent.
  MCP_ASSERT(asks || !(next.kind_ == Step::Kind::done ? writer.begun() : writer.any()));
  if (next.kind_ == Step::Kind::done) {
    const bool written = end_call(job, response, context, next.errc_);
    release(handle);
    return written;
  }

  job.wake_ms = context_.now + next.wait_ms_;
  if (is_task(job)) {
    protocol::tasks_of(context_).set(context_, job.task, asks ? TaskStatus::input_required : TaskStatus::working,
                                     buffer.size(), asks ? next.wait_ms_ : 0);
  } else {
    if (asks) {
      if (job.client.stateless) rest_ = Rest::inputs;
      return true;
    }
    response.discard();
    if (may_become_task(job)) {
      rest_ = Rest::task;
      return true;
    }
  }
  return job.progress_due && is_for(job) && write_progress(handle.index, job);
}

// After the input requests of a stateless task, a brace follows.
json::Writer JobRunner::buffer_of(const Job& job) const {
  if (!is_task(job)) return json::Writer({});
  MCP_DEBUG_ASSERT(storage_.tasks.find(job.task) != nullptr);
  const std::span<char> memory = storage_.task_result(job.task.index);
  return json::Writer(memory.first(memory.size() - (job.client.stateless ? 1 : 0)));
}

bool JobRunner::may_become_task(const Job& job) const {
  return job.tool->info.input_before_task && (job.client.features & protocol::CapabilityBit::tasks) != 0;
}

bool JobRunner::become_task(memory::Handle handle) {
  MCP_DEBUG_ASSERT(!is_task(storage_.jobs.at(handle)));
  const std::string_view id(storage_.job_id(handle.index), storage_.jobs.at(handle).id_size);
  rpc::Response response(out_, id, context_.result_meta());
  const bool adopted = protocol::tasks_of(context_).adopt(context_, handle, response);
  code_ = response.code();
  return adopted;
}

// After the step, whose stack is free again: sealing a state needs much stack, and so does the last step of a job that
// cannot become a task.
bool JobRunner::end_round(memory::Handle handle, json::Writer::Mark start, bool written) {
  if (rest_ == Rest::none) return written;
  if (rest_ == Rest::task) {
    if (!become_task(handle)) end(handle);
    return true;
  }
  const Job& job = storage_.jobs.at(handle);  // if its slot is released, no other job takes it meanwhile
  MCP_DEBUG_ASSERT(job.client.stateless && !is_task(job) && storage_.links.mrtr != nullptr);
  if (!storage_.links.mrtr->ask(context_, handle, job.wake_ms - context_.now, start)) return false;
  audit(job, AuditRecord::Outcome::asks, 0);
  return true;
}

int JobRunner::resume(memory::Handle handle, json::Value responses) {
  Job& job = storage_.jobs.at(handle);
  context_.client = job.client;
  if (is_too_late(storage_, job, context_.now)) return static_cast<void>(answer_too_late(handle, job)), code_;
  const json::Writer::Mark start = out_.mark();
  static_cast<void>(end_round(handle, start, step(handle, Answer(Outcome::none), responses)));
  // The response to a call is its result. transmit_jobs() sends other messages.
  if (storage_.jobs.find(handle) == nullptr || job.parked != Parked::no || is_task(job) || out_.size() == 0)
    return code_;
  out_.rollback(start);
  job.progress_due = true;
  return 0;
}

bool JobRunner::is_for(const Job& job) const { return context_.is_for(is_task(job) ? session_channel : job.channel); }

void JobRunner::end(memory::Handle handle) {
  // Nothing runs in a slot that is reserved.
  if (storage_.jobs.at(handle).parked == Parked::reserved) return storage_.jobs.release(handle);
  audit(storage_.jobs.at(handle), AuditRecord::Outcome::cancelled, 0);
  last_step(handle);
  release(handle);
}

// Its task may be kept for long: it must not take a later job in the same slot for this one. Its client needs time to
// fetch the result.
void JobRunner::release(memory::Handle handle) {
  const Job& job = storage_.jobs.at(handle);
  MCP_DEBUG_ASSERT(!job.stepping);
  storage_.sessions.at(job.session).last_used = context_.now;
  detail::Task* const task = storage_.tasks.find(job.task);
  if (task != nullptr) task->job = {};
  storage_.jobs.release(handle);
}

void JobRunner::audit(const Job& job, AuditRecord::Outcome outcome, int error_code) {
  const protocol::AuditOps* const code = context_.storage.links.audit;
  if (code != nullptr) code->job(context_, job, outcome, error_code);
}

void JobRunner::last_step(memory::Handle handle) {
  Job& job = storage_.jobs.at(handle);
  MCP_ASSERT(!job.stepping);  // a step must not end its own session or channel: Server::close, Server::cancel
  job.stepping = true;
  const json::Writer::Mark start = out_.mark();
  context_.client = job.client;
  context_.job = handle;
  rpc::Response response(out_, {});
  const Answer none(Outcome::none);
  AskContext context(response, protocol::known_by(context_.client), context_, job, true, none, {});
  static_cast<void>(job.tool->job->step(storage_.job_state(handle.index), context));
  job.stepping = false;
  out_.rollback(start);
}

bool JobRunner::answer_too_late(memory::Handle handle, Job& job) {
  if (job.input_id != 0 && !is_unasked(storage_, job)) {
    storage_.links.input_requests->withdraw(context_, job);
    return true;
  }
  last_step(handle);
  const bool written = say_too_late(handle.index, job);
  release(handle);
  return written;
}

// After the last step, whose stack is free again.
bool JobRunner::say_too_late(std::size_t index, const Job& job) {
  json::Writer buffer = buffer_of(job);
  rpc::Response response = begin_result(is_task(job) ? buffer : out_, index, job);
  Call call(response, protocol::known_by(context_.client), context_.session_id());
  constexpr const char* no_ready = "notifications/initialized was not sent.";
  const char* const reads = job.tool->job->too_late;
  const bool early = is_early(storage_, job);
  if (reads != nullptr) {
    response.fail(rpc::internal_error, early ? no_ready : reads);
    return end_call(job, response, call, Errc::handled);
  }
  return end_call(job, response, call,
                  call.fail(early ? json::Text(no_ready) : json::Text("The tool exceeded its time limit.")));
}

bool JobRunner::end_call(const Job& job, rpc::Response& response, Call& call, Errc errc) {
  using End = AuditRecord::Outcome;
  // The step of a read has written its response.
  const bool ok =
      job.tool->job->too_late == nullptr ? protocol::end_tool_result(response, call, errc) : response.code() == 0;
  const End end = response.code() != 0 ? End::error : response.asks() ? End::asks : ok ? End::ok : End::failed;
  audit(job, end, response.code());
  code_ = response.code();
  if (!is_task(job)) {
    if (job.client.stateless) context_.error = protocol::error_of(code_);
    return true;
  }
  protocol::end_task(context_, job.task, response.out.size(), ok, call.has_meta());
  return false;
}

rpc::Response JobRunner::begin_result(json::Writer& out, std::size_t index, const Job& job) {
  rpc::Response response(out, {storage_.job_id(index), job.id_size}, context_.result_meta());
  response.result_begin_with("\"result\":{\"content\":[");
  return response;
}

// False when it does not fit, with its token and text: then there is no news.
bool JobRunner::write_progress(std::size_t index, Job& job) {
  MCP_DEBUG_ASSERT(job.progress_due && job.token_size != 0);
  job.progress_due = false;
  const json::Writer::Mark start = out_.mark();
  protocol::notification_begin(out_, "progress");
  out_.key("progressToken");
  out_.raw(std::string_view(storage_.job_token(index), job.token_size));
  if (job.progress_kind == detail::Progress::fraction) {
    job.write_fraction(out_, job.progress);
  } else {
    MCP_DEBUG_ASSERT(job.progress_kind == detail::Progress::count);
    out_.member("progress", job.progress);
    if (job.total != 0) out_.member("total", job.total);
  }
  if (protocol::revisions[context_.client.revision].completions) out_.optional_member("message", job.message);
  if (is_task(job)) protocol::tasks_of(context_).write_meta(out_, storage_, job.task);
  out_.fragment("}}");
  if (!out_.ok()) out_.rollback(start);
  return out_.size() != 0;
}

JobContext::JobContext(rpc::Response& response, Content::Known known, SendContext& context, Job& job,
                       bool stop_requested)
    : Call(response, known, context.session_id()), context_(context), job_(job), stop_requested_(stop_requested) {}

void JobContext::check_structured(const Step& step) const {
  MCP_ASSERT(stop_requested_ || step.kind_ != Step::Kind::done || step.errc_ != Errc::ok || has_structured());
}

Millis JobContext::now() const { return context_.now; }

void JobContext::reconnect(Millis retry_ms) {
  job_.retry_ms = static_cast<std::uint16_t>(retry_ms < 0xFFFF ? retry_ms : 0xFFFF);
}

void JobContext::progress(std::uint32_t progress, std::uint32_t total, json::Text message) {
  if (job_.progress_kind != detail::Progress::none && progress <= job_.progress) return;
  job_.progress = progress;
  job_.total = total;
  job_.message = message;
  job_.progress_kind = detail::Progress::count;
  job_.progress_due = job_.token_size != 0;
}

namespace {

void write_fraction(json::Writer& out, std::uint32_t millionths) {
  out.member("progress", Scaled{static_cast<std::int32_t>(millionths), 6});
  out.fragment("\"total\":1");
}

std::uint32_t millionths_of(Scaled fraction) {
  constexpr std::uint32_t one = 1'000'000;
  if (fraction.value <= 0) return 0;
  auto value = static_cast<std::uint64_t>(fraction.value);
  unsigned decimals = fraction.decimals;
  for (; decimals < 6; ++decimals) value *= 10;
  for (; decimals > 6; --decimals) value /= 10;
  return value < one ? static_cast<std::uint32_t>(value) : one;
}

}  // namespace

void JobContext::progress(Scaled fraction, json::Text message) {
  using detail::Progress;
  const std::uint32_t millionths = millionths_of(fraction);
  if (job_.progress_kind == Progress::count) return;
  if (job_.progress_kind == Progress::fraction && millionths <= job_.progress) return;
  job_.progress = millionths;
  job_.write_fraction = write_fraction;
  job_.message = message;
  job_.progress_kind = Progress::fraction;
  job_.progress_due = job_.token_size != 0;
}

namespace {

/// The job that answers the request `id` (as it stood there), or the zero handle.
memory::Handle find_job(const StorageView& storage, std::size_t session_index, const std::string_view& id) {
  protocol::WalkOf<Job> jobs(storage.jobs, session_index);
  while (const Job* const job = jobs.next()) {
    if (storage.sessions.at(job->session).shared) continue;
    if (rpc::same_id({storage.job_id(jobs.index()), job->id_size}, id)) return jobs.handle();
  }
  return {};
}

/// The bytes of the request's progress token, unchanged; empty without a token that can be stored.
std::string_view progress_token(const protocol::Request& request) {
  const json::Value token = json::find_member(request.params.find("_meta"), "progressToken");
  const std::string_view raw = rpc::raw_id(token);
  return raw.size() <= request.storage.id_size ? raw : std::string_view();
}

}  // namespace

namespace {

// For a job that requests input of a stateless client, and is not a task.
const protocol::MrtrOps* mrtr_of(const protocol::Request& request, const Tool& tool) {
  const bool asks = tool.job->asks && request.context.client.stateless;
  return asks && request.task == memory::Handle{} ? request.storage.links.mrtr : nullptr;
}

// The job is done for this request from now on.
void serve(const protocol::Request& request, memory::Handle handle) {
  const StorageView& storage = request.storage;
  Job& job = storage.jobs.at(handle);
  job.task = request.task;
  // A task has no request that waits: the transport gives the channel of its call to another request.
  const bool is_of_request = job.task == memory::Handle{} || request.context.channel == only_channel;
  job.channel = is_of_request ? request.context.channel : no_channel;
  job.client = request.context.client;
  const TransportInfo* const info = request.context.info;
  if (info != nullptr && info->only_response && !job.client.stateless) job.client.features = 0;
  job.log = storage.log_end();
  job.principal = request.context.principal();
  job.wake_ms = request.now;
  job.progress_kind = detail::Progress::none;
  if (job.task == memory::Handle{}) {
    const std::string_view id = request.id();
    MCP_DEBUG_ASSERT(id.size() <= storage.id_size);
    job.id_size = static_cast<std::uint16_t>(id.size());
    std::memcpy(storage.job_id(handle.index), id.data(), id.size());
  }
  const std::string_view token = progress_token(request);
  job.token_size = static_cast<std::uint16_t>(token.size());
  if (!token.empty()) std::memcpy(storage.job_token(handle.index), token.data(), token.size());
  if (job.task != memory::Handle{} && job.client.stateless) protocol::detach(job);
  request.context.job = handle;  // from here on, log messages are its own: of the audit, too
}

}  // namespace

namespace {

// Zero if there is none.
memory::Handle acquire_job_slot(const protocol::Request& request, const protocol::MrtrRetry& retry) {
  if (retry.slot != memory::Handle{}) return retry.slot;
  const SendContext& context = request.context;
  const StorageView& storage = request.storage;
  const protocol::MrtrOps* const mrtr = storage.links.mrtr;
  if (mrtr != nullptr) mrtr->expire_reserved(storage, request.now);
  const memory::Handle free = protocol::acquire_slot(context, storage.jobs);
  if (free != memory::Handle{} || mrtr == nullptr || !mrtr->evict_reserved(context, retry.first())) return free;
  return protocol::acquire_slot(context, storage.jobs);
}

// When a slot may be free, if none is free now. If the owner has used its share, only its own slots count.
Millis next_slot_ms(const SendContext& context) {
  const StorageView& storage = context.storage;
  const bool own_only = protocol::holds_share(context, storage.jobs);
  Millis earliest = forever;
  memory::Walk<Job> jobs(storage.jobs);
  while (const Job* const job = jobs.next()) {
    if (own_only && job->owner != context.owner()) continue;
    const Millis in = job->parked == Parked::no ? protocol::busy_wait_ms : protocol::until(job->wake_ms, context.now);
    if (in < earliest) earliest = in;
  }
  return earliest;
}

// Takes a slot for a new job, and returns its state. Returns nullptr, with the outcome of the call in `errc`, if there
// is no slot or if the request continues a job of an earlier one.
void* acquire_job(protocol::Request& request, const Tool& tool, Call& call, memory::Handle& handle, Errc& errc) {
  const StorageView& storage = request.storage;
  errc = Errc::handled;
  protocol::MrtrRetry retry;
  const protocol::MrtrOps* const mrtr = mrtr_of(request, tool);
  if (mrtr != nullptr && !mrtr->open(request, tool, retry)) return nullptr;
  handle = acquire_job_slot(request, retry);
  if (handle == memory::Handle{}) {
    detail::count(storage.health().jobs_full);
    const protocol::SlotLimit limit = protocol::slot_limit(request.context, storage.jobs);
    errc = call.busy(next_slot_ms(request.context), "All ", limit.most, " job slots", limit.of,
                     " are in use; try again later.");
    return nullptr;
  }
  Job& job = storage.jobs.at(handle);
  job.tool = &tool;
  if (retry.first()) job.started_ms = request.now;
  serve(request, handle);
  if (!retry.first()) {
    mrtr->resume(request, handle, retry);
    return nullptr;
  }
  MCP_DEBUG_ASSERT(tool.job->size <= storage.job_stride);
  // Padding between the members of a state is sealed with it, and must not show earlier data.
  void* const state = storage.job_state(handle.index);
  if (mrtr != nullptr) std::memset(state, 0, tool.job->size);
  return state;
}

// Begins the first step of a job whose arguments are complete.
Errc begin_call(protocol::Request& request, const Tool& tool, memory::Handle handle) {
  request.discard();
  if (detail::Task* const task = request.storage.tasks.find(request.task)) task->job = handle;
  if (const protocol::MrtrOps* const mrtr = mrtr_of(request, tool)) mrtr->begin(request, handle);
  return Errc::handled;
}

}  // namespace

void* protocol::begin_read_job(Request& request, const Tool& kind) {
  const StorageView& storage = request.storage;
  if (!request.id_is_free()) return nullptr;
  const memory::Handle handle = acquire_job_slot(request, MrtrRetry());
  if (handle == memory::Handle{}) {
    detail::count(storage.health().jobs_full);
    fail_for_slots(request, slot_limit(request.context, storage.jobs), "All ", " job slots",
                   " are in use; try again later.", next_slot_ms(request.context));
    return nullptr;
  }
  Job& job = storage.jobs.at(handle);
  job.tool = &kind;
  job.started_ms = request.now;
  serve(request, handle);
  request.discard();
  MCP_DEBUG_ASSERT(kind.job->size <= storage.job_stride);
  void* const state = storage.job_state(handle.index);
  kind.job->begin(state, no_number);
  return state;
}

Errc detail::start_job(const Tool& tool, json::Value arguments, Call& call) {
  protocol::Request& request = call.request();
  memory::Handle handle;
  Errc errc = Errc::ok;
  void* const memory = acquire_job(request, tool, call, handle, errc);
  if (memory == nullptr) return errc;
  errc = decode_arguments(tool, arguments, tool.job->begin(memory, request.row()), call);
  if (errc != Errc::ok) {
    request.storage.jobs.release(handle);
    return errc;
  }
  return begin_call(request, tool, handle);
}

Errc detail::start_decoded_job(const Tool& tool, const void* arguments, std::size_t size, Call& call) {
  protocol::Request& request = call.request();
  memory::Handle handle;
  Errc errc = Errc::ok;
  void* const memory = acquire_job(request, tool, call, handle, errc);
  if (memory == nullptr) return errc;
  if (void* const copy = tool.job->begin(memory, request.row())) std::memcpy(copy, arguments, size);
  return begin_call(request, tool, handle);
}

namespace protocol {
namespace {

bool transmit_jobs(SendContext& context) {
  WalkOf<Job> jobs(context.storage.jobs, context);
  while (jobs.next() != nullptr) {
    if (JobRunner(context).run(jobs.handle())) return true;
  }
  return false;
}

Millis jobs_due(const Definition&, const StorageView& storage, Millis now) {
  Millis earliest = forever;
  const auto sooner = [&](Millis at) {
    const Millis in = until(at, now);
    if (in < earliest) earliest = in;
  };
  memory::Walk<Job> jobs(storage.jobs);
  while (const Job* const job = jobs.next()) {
    // While nothing is sent to its client no job of it steps: to wake for them would be to wake for nothing. The end of
    // a reservation is seen when the slot is wanted.
    if (job->parked == Parked::reserved) continue;
    if (storage.is_unfinished(job->session, job->channel)) continue;
    if (const Millis limit = limit_of(storage, *job); limit != 0) sooner(job->started_ms + limit);
    if (is_early(storage, *job)) continue;
    if (!is_unasked(storage, *job)) sooner(job->wake_ms);
    if (job->progress_due && !(is_task(*job) && storage.sessions.at(job->session).no_listener)) sooner(now);
  }
  return earliest;
}

void close_jobs(SendContext& context) {
  WalkOf<Job> jobs(context.storage.jobs, context);
  while (const Job* const job = jobs.next()) {
    // A task has no channel, so it continues when the channel of its call is closed.
    const bool ends = is_task(*job) ? context.channel == only_channel : context.is_for(job->channel);
    if (ends) JobRunner(context).end(jobs.handle());
  }
}

// A cancelled request gets no response. Unknown and completed ids are ignored.
void job_cancelled(Request& request) {
  const json::Value id = request.params.find("requestId");
  if (!id.present()) return;
  const memory::Handle handle = find_job(request.storage, request.session_index, id.raw());
  if (handle == memory::Handle{}) return;
  Job job = request.storage.jobs.at(handle);
  SendContext& context = request.context;
  const mcp::detail::Client client = context.client;  // of the messages that follow in a batch
  JobRunner(context).end(handle);
  context.client = client;
  if (job.input_id == 0) return;
  // In a batch, responses of others go to the channel of the batch. A client that cancels a call knows that its input
  // request is over.
  if (job.channel != context.channel && context.out.size() != 0) return;
  context.channel = job.channel;  // the channel of its input request
  request.storage.links.input_requests->withdraw(context, job);
}

// A message of a task is no response to a request.
bool has_open_job(const StorageView& storage, const OpenRequest& wanted) {
  memory::Walk<Job> jobs(storage.jobs);
  while (const Job* const job = jobs.next()) {
    if (is_task(*job)) continue;
    if (wanted.is(job->session, job->channel, storage.job_id(jobs.index()), job->id_size)) return true;
  }
  return false;
}

constexpr FeatureMethod job_methods[] = {{"notifications/cancelled", job_cancelled}};

}  // namespace

constinit const Feature jobs_feature{.methods = job_methods,
                                     .transmit = transmit_jobs,
                                     .due = jobs_due,
                                     .close = close_jobs,
                                     .has_open = has_open_job,
                                     .answers = true};

}  // namespace protocol
}  // namespace mcp
