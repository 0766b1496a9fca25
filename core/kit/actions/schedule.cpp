// SPDX-License-Identifier: Apache-2.0
// Scheduled calls: their slots, their list, and how they run without a client.
#include "mcp/schedule.hpp"

#include <cstring>

#include "kit/actions/date_time.hpp"
#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/owners.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "engine/send_context.hpp"
#include "engine/server_request_ids.hpp"
#include "features/job_runner.hpp"
#include "features/tools.hpp"
#include "mcp/assert.hpp"
#include "mcp/detail/server_state.hpp"
#include "mcp/server.hpp"
#include "mcp/transport_info.hpp"

namespace mcp {

using detail::ScheduledCall;
using detail::StorageView;
using protocol::Request;
using protocol::SendContext;
using Of = ScheduledCall::Of;
using Status = ScheduledCall::Status;

namespace {

// Longest sleep before a call at a time of day, because the wall clock may be set meanwhile.
constexpr Millis clock_check_ms = 60'000;
// Longest wait reported to the client, so that it can be rounded up to seconds.
constexpr Millis longest_wait_ms = forever - 1000;

void* state_of(ScheduledCall& call) { return &call + 1; }

std::span<char> result_of(const StorageView& storage, ScheduledCall& call) {
  const std::size_t before = sizeof(ScheduledCall) + storage.scheduled_state_size;
  return {reinterpret_cast<char*>(&call) + before, storage.scheduled.slot_size() - before};
}

bool has_ended(const ScheduledCall& call) { return call.status > Status::running; }

// The time until a call that is scheduled runs.
Millis wait_of(const StorageView& storage, const ScheduledCall& call, Millis now) {
  if (call.due_utc_ms == 0) return protocol::until(call.due_ms, now);
  const std::uint64_t utc_ms = storage.services.wall_clock->utc_ms();
  if (utc_ms >= call.due_utc_ms) return 0;
  const std::uint64_t wait_ms = call.due_utc_ms - utc_ms;
  return wait_ms < longest_wait_ms ? static_cast<Millis>(wait_ms) : longest_wait_ms;
}

// True if the scope of the tool is among the scopes of the message or of the scheduled call.
bool has_scope_for(const SendContext& context, const Tool& tool) {
  return protocol::missing_scope(context, tool.info.scope) == ScopeTable::npos;
}

void mark_list(const Definition& definition, const StorageView& storage) {
  const std::span<const Resource> rows = definition.resources.rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].read == detail::read_scheduled) protocol::mark_updated(storage, i);
  }
}

}  // namespace

/// Runs one call, or one step of its job, without a client. The response goes into the memory of the call.
class ScheduledRunner {
 public:
  ScheduledRunner(const Definition& definition, const StorageView& storage, ScheduledCall& call, Millis now)
      : storage_(storage),
        call_(call),
        out_(result_of(storage, call)),
        info_(call.principal()),
        context_{definition, storage, 0, session_, out_, now, no_channel, call.of != Of::wire ? &info_ : nullptr},
        request_(context_, {}, {}) {
    info_.scopes = Scopes(call.scopes);
  }

  /// The call is due.
  void run() {
    request_.result_begin_with("\"result\":{\"content\":[");
    Call call(request_, known(), context_.session_id(), &request_);
    Errc errc = check(call);
    if (errc == Errc::ok && call_.tool->is_job) {
      call_.status = Status::running;
      call_.started_ms = context_.now;
      return step();
    }
    call_.stepping = true;
    if (errc == Errc::ok) errc = call_.run(*call_.tool, state_of(call_), call);
    call_.stepping = false;
    end(call, errc);
  }

  /// The next step of its job is due.
  void step() {
    MCP_DEBUG_ASSERT(call_.tool->is_job && call_.status == Status::running);
    if (is_too_late()) {
      static_cast<void>(run_step(true));
      request_.result_begin_with("\"result\":{\"content\":[");
      Call call(request_, known(), context_.session_id(), &request_);
      end(call, call.fail("The tool exceeded its time limit."));
    } else if (run_step(false)) {
      call_.due_ms = context_.now + wait_ms_;
    }
  }

  void cancel() {
    if (call_.status == Status::running) static_cast<void>(run_step(true));
    finish(Status::cancelled, 0, AuditRecord::Outcome::cancelled);
  }

  [[nodiscard]] bool is_too_late() const {
    const Millis limit = call_.tool->job->time_limit_ms;
    return limit != 0 && context_.now - call_.started_ms >= limit;
  }

 private:
  // The list shows only the content of a result.
  [[nodiscard]] Content::Known known() const {
    Content::Known known = request_.known_content();
    known.structured = false;
    return known;
  }

  Errc check(Call& call) {
    const std::span<const Tool> rows = context_.definition.tools.rows();
    const auto index = static_cast<std::size_t>(call_.tool - rows.data());
    if (!request_.enabled(ListKind::tools, index)) return call.fail("The tool is disabled.");
    if (!has_scope_for(context_, *call_.tool))
      return call.fail("The call was scheduled without the scope of the tool.");
    return detail::check_interlocks(*call_.tool, call);
  }

  // True if the job sleeps.
  bool run_step(bool stop) {
    MCP_ASSERT(!call_.stepping);  // a step must not poll
    request_.result_begin_with("\"result\":{\"content\":[");
    detail::Job job{};
    job.tool = call_.tool;
    AskContext context(request_, known(), context_, job, stop, Answer(Outcome::none), {});
    call_.stepping = true;
    const Step next = call_.tool->job->step(state_of(call_), context);
    call_.stepping = false;
    wait_ms_ = next.wait_ms_;
    if (stop) return false;
    if (next.kind_ != Step::Kind::done) return true;
    end(context, next.errc_);
    return false;
  }

  void end(Call& call, Errc errc) {
    using End = AuditRecord::Outcome;
    const bool ok = protocol::end_tool_result(request_, call, errc);
    finish(ok ? Status::done : Status::failed, out_.size(),
           request_.code() != 0 ? End::error
           : ok                 ? End::ok
                                : End::failed);
  }

  void finish(Status status, std::size_t size, AuditRecord::Outcome outcome) {
    MCP_DEBUG_ASSERT(status > Status::running && size <= result_of(storage_, call_).size());
    if (const protocol::AuditOps* const audit = storage_.links.audit) {
      detail::Job job{};
      job.tool = call_.tool;
      job.principal = call_.principal();
      job.started_ms = call_.status == Status::running ? call_.started_ms : context_.now;
      audit->job(context_, job, outcome, request_.code());
    }
    call_.status = status;
    call_.result_size = static_cast<std::uint16_t>(size);
    mark_list(context_.definition, storage_);
  }

  const StorageView& storage_;
  ScheduledCall& call_;
  detail::Session session_{};  // a session without a client
  json::Writer out_;
  TransportInfo info_;
  SendContext context_;
  Request request_;
  Millis wait_ms_ = 0;
};

namespace {

// Takes the next action of a call. Returns the time until the next action; 0 if clients may get a notification now.
[[gnu::noinline]] Millis advance(const Definition& definition, const StorageView& storage, ScheduledCall& call,
                                 Millis now) {
  ScheduledRunner runner(definition, storage, call, now);
  if (call.ends) {
    runner.cancel();
  } else if (call.status == Status::scheduled) {
    if (const Millis wait_ms = wait_of(storage, call, now); wait_ms != 0) {
      return call.due_utc_ms != 0 && wait_ms > clock_check_ms ? clock_check_ms : wait_ms;
    }
    runner.run();
  } else if (protocol::until(call.due_ms, now) == 0 || runner.is_too_late()) {
    runner.step();
  }
  if (call.status != Status::running) return 0;
  const Millis wait_ms = protocol::until(call.due_ms, now);
  const Millis limit = call.tool->job->time_limit_ms;
  const Millis left_ms = limit != 0 ? protocol::until(call.started_ms + limit, now) : forever;
  return wait_ms < left_ms ? wait_ms : left_ms;
}

Millis run_all(const Definition& definition, const StorageView& storage, Millis now) {
  Millis earliest = forever;
  memory::Walk<ScheduledCall> calls(storage.scheduled);
  while (ScheduledCall* const call = calls.next()) {
    if (has_ended(*call)) {
      if (call->ends) storage.scheduled.release(calls.handle());
      continue;
    }
    if (call->stepping) continue;  // its handler polls
    const Millis in = advance(definition, storage, *call, now);
    if (in < earliest) earliest = in;
  }
  return earliest;
}

// ---- Scheduling -----------------------------------------------------------------------------------------------------

// A client on a wire sees all calls, because the wire is the credential. A client of a network sees its own calls, if
// it has the scope of their tools. Without tokens, stateless clients of one peer are one sender, and so are all clients
// of unknown peers.
bool sees(const SendContext& context, const ScheduledCall& call) {
  const TransportInfo* const info = context.info;
  if (info == nullptr) return true;
  if (!has_scope_for(context, *call.tool)) return false;
  if (call.of == Of::principal) return info->principal == call.sender;
  if (info->principal != 0) return false;
  if (call.of == Of::session) return !context.client.stateless && context.session_index == call.session;
  return call.of == Of::peer && info->peer == call.sender;
}

// Sets the owner of the call that the request schedules.
void set_sender(const SendContext& context, ScheduledCall& call) {
  const TransportInfo* const info = context.info;
  if (info == nullptr) return;
  call.of = info->principal != 0 ? Of::principal : context.client.stateless ? Of::peer : Of::session;
  call.sender = info->principal != 0 ? info->principal : info->peer;
  call.scopes = info->scopes.bits();
}

// From now on, the calls of a session without a token belong to its host, so that the next session can cancel them.
void close_scheduled(SendContext& context) {
  if (context.channel != only_channel) return;
  memory::Walk<ScheduledCall> calls(context.storage.scheduled);
  while (ScheduledCall* const call = calls.next()) {
    if (call->of == Of::session && call->session == context.session_index) call->of = Of::peer;
  }
}

// Takes a free slot, or the slot of the oldest ended call. If the owner has used its share, only its own slots count.
memory::Handle acquire_call_slot(const SendContext& context) {
  const memory::Pool<ScheduledCall>& pool = context.storage.scheduled;
  const memory::Handle free = protocol::acquire_slot(context, pool);
  if (free != memory::Handle{}) return free;
  const bool own_only = protocol::holds_share(context, pool);
  memory::Handle oldest;
  std::uint32_t oldest_id = 0;
  memory::Walk<ScheduledCall> calls(pool);
  while (const ScheduledCall* const call = calls.next()) {
    if (!has_ended(*call) || (own_only && call->owner != context.owner())) continue;
    if (oldest != memory::Handle{} && static_cast<std::int32_t>(call->id - oldest_id) > 0) continue;
    oldest = calls.handle();
    oldest_id = call->id;
  }
  if (oldest == memory::Handle{}) return {};
  pool.release(oldest);
  return protocol::acquire_slot(context, pool);
}

// When the next call may end.
Millis next_slot_ms(const SendContext& context) {
  const bool own_only = protocol::holds_share(context, context.storage.scheduled);
  Millis earliest = longest_wait_ms;
  memory::Walk<ScheduledCall> calls(context.storage.scheduled);
  while (const ScheduledCall* const call = calls.next()) {
    if (own_only && call->owner != context.owner()) continue;
    const Millis in =
        call->status == Status::running ? protocol::busy_wait_ms : wait_of(context.storage, *call, context.now);
    if (in < earliest) earliest = in;
  }
  return earliest;
}

// Reads `at`. Errors: ends the call as failed.
Errc read_time(const StorageView& storage, std::string_view text, Call& call, std::uint64_t& utc_ms) {
  if (!protocol::read_date_time(text, utc_ms)) {
    return call.fail("Argument \"at\" must be a time such as 2026-05-01T06:00:00Z, before the year 2100.");
  }
  if (utc_ms > storage.services.wall_clock->utc_ms()) return Errc::ok;
  return call.fail("Argument \"at\" is in the past by the clock of the device; use after.");
}

}  // namespace

Errc detail::schedule_call(const Tool& tool, const CallTime& time, const void* arguments, std::size_t size, RunCall run,
                           Call& call) {
  Request& request = call.request();
  const SendContext& context = request.context;
  const StorageView& storage = request.storage;
  std::uint64_t utc_ms = 0;
  if (time.after && time.at) return call.fail("Give after or at, and not both.");
  if (time.at) {
    if (const Errc errc = read_time(storage, *time.at, call, utc_ms); errc != Errc::ok) return errc;
  }
  const memory::Handle handle = acquire_call_slot(context);
  if (handle == memory::Handle{}) {
    const protocol::SlotLimit limit = protocol::slot_limit(context, storage.scheduled);
    if (detail::Figures* const figures = storage.figures()) detail::count(figures->scheduled_full);
    return call.busy(next_slot_ms(context), "All ", limit.most, " slots of scheduled calls", limit.of,
                     " are in use; cancel one, or try again later.");
  }
  ScheduledCall& slot = storage.scheduled.at(handle);
  slot.id = protocol::new_request_id(storage);
  slot.tool = &tool;
  slot.run = run;
  set_sender(context, slot);
  slot.due_utc_ms = utc_ms;
  slot.due_ms = request.now + time.after.value_or(0) * 1000;
  void* const copy = tool.is_job ? tool.job->begin(state_of(slot), no_number) : state_of(slot);
  if (copy != nullptr) std::memcpy(copy, arguments, size);
  mark_list(request.definition, storage);
  static_cast<void>(call.result().text("Scheduled as call ", slot.id, ". A reset of the device loses it."));
  return call.meta([&](json::Writer& out) { out.member(scheduled_call_key, slot.id); });
}

Errc detail::cancel_scheduled_call(const ScheduledId& arguments, Call& call) {
  const Request& request = call.request();
  memory::Walk<ScheduledCall> calls(request.storage.scheduled);
  while (ScheduledCall* const found = calls.next()) {
    if (found->id != arguments.id || !sees(request.context, *found)) continue;
    if (has_ended(*found)) return call.fail("Call ", arguments.id, " has ended.");
    ScheduledRunner(request.definition, request.storage, *found, request.now).cancel();
    return call.result().text("Cancelled call ", arguments.id, ".");
  }
  return call.fail("No scheduled call has the id ", arguments.id, ".");
}

// ---- List -----------------------------------------------------------------------------------------------------------

namespace {

void write_call(json::Writer& out, const StorageView& storage, ScheduledCall& call, Millis now, bool with_result) {
  static constexpr json::Text names[] = {"scheduled", "running", "done", "failed", "cancelled"};
  out.object_begin();
  out.member("id", call.id);
  out.member("tool", call.tool->info.name);
  out.member("status", names[static_cast<std::size_t>(call.status)]);
  if (call.status == Status::scheduled) out.member("inSeconds", (wait_of(storage, call, now) + 999) / 1000);
  if (with_result && call.result_size != 0) {
    // The response without its version.
    constexpr std::size_t before = std::string_view("{\"jsonrpc\":\"2.0\",").size();
    MCP_DEBUG_ASSERT(call.result_size > before && has_ended(call));
    const std::size_t size = call.result_size - before - 1;
    out.fragment(std::string_view(result_of(storage, call).data() + before, size));
  }
  out.object_end();
}

void write_calls(json::Writer& out, const Request& request, bool with_results) {
  out.fragment("{\"calls\":[");
  memory::Walk<ScheduledCall> calls(request.storage.scheduled);
  while (ScheduledCall* const call = calls.next()) {
    if (!sees(request.context, *call) || call->ends) continue;
    write_call(out, request.storage, *call, request.now, with_results);
  }
  out.array_end();
  out.object_end();
}

}  // namespace

Errc detail::read_scheduled(ReadResult& out) {
  const auto& request = static_cast<const Request&>(out.response());
  json::Writer& json = out.json();
  const json::Writer::Mark start = json.mark();
  write_calls(json, request, true);
  if (json.ok()) return Errc::ok;
  // Without results, more calls fit.
  json.rollback(start);
  write_calls(json, request, false);
  return json.ok() ? Errc::ok : Errc::no_space;
}

Millis Server::run_scheduled(Millis now) const {
  check_task();
  return run_all(*definition_, storage_, now);
}

namespace protocol {
constinit const Feature schedule_feature{.methods = {}, .due = run_all, .close = close_scheduled};
}  // namespace protocol

}  // namespace mcp
