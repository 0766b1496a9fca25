// SPDX-License-Identifier: Apache-2.0
// Guards between clients and the device: the rate limit of calls, and the audit records.
// Source: server/tools#security-considerations and server/utilities/completion#security, 2025-11-25.
#include "engine/hooks.hpp"
#include "engine/request.hpp"
#include "engine/send_context.hpp"
#include "mcp/audit.hpp"
#include "mcp/call.hpp"
#include "mcp/caller.hpp"
#include "mcp/json/value.hpp"
#include "mcp/with_caller.hpp"

namespace mcp::protocol {
namespace {

using mcp::detail::CallBucket;
using mcp::detail::Job;
using mcp::detail::StorageView;

// ---- Rate limit --------------------------------------------------------------------------------------------------

void refill(CallBucket& bucket, Millis now, Millis interval_ms) {
  const Millis calls = (now - bucket.refilled_ms) / interval_ms;
  if (calls >= bucket.spent) {
    bucket.spent = 0;
    bucket.refilled_ms = now;
  } else {
    bucket.spent = static_cast<std::uint16_t>(bucket.spent - calls);
    bucket.refilled_ms += calls * interval_ms;
  }
}

// The bucket of the owner. A full bucket may be given to another owner, one in debt never. When all are in debt,
// further owners share the last one, so an attacker with many addresses slows down only unknown owners.
CallBucket& bucket_of(const StorageView& storage, std::uint32_t owner, Millis now) {
  CallBucket* free = nullptr;
  CallBucket& last = storage.call_buckets.back();
  refill(last, now, storage.call_interval_ms);
  for (CallBucket& bucket : storage.call_buckets.first(storage.call_buckets.size() - 1)) {
    refill(bucket, now, storage.call_interval_ms);
    if (bucket.spent == 0) {
      free = &bucket;
    } else if (bucket.owner == owner) {
      return bucket;
    }
  }
  if (free == nullptr) return last;
  free->owner = owner;
  return *free;
}

// 0 when the owner of the request may call now, which then counts; else after how many milliseconds it may.
Millis wait_for_call(const Request& request) {
  const StorageView& storage = request.storage;
  CallBucket& bucket = bucket_of(storage, request.context.owner(), request.now);
  if (bucket.spent == storage.call_burst) {
    if (mcp::detail::Figures* const figures = storage.figures()) mcp::detail::count(figures->rate_limited);
    return storage.call_interval_ms - (request.now - bucket.refilled_ms);
  }
  ++bucket.spent;
  return 0;
}

constexpr char too_many[] = "Too many calls: try again in ";

Errc limit_call(const Request& request, Call& call) {
  const Millis wait_ms = wait_for_call(request);
  return wait_ms == 0 ? Errc::ok : call.busy(wait_ms, too_many, wait_ms, " ms.");
}

bool limit_request(Request& request) {
  const Millis wait_ms = wait_for_call(request);
  if (wait_ms == 0) return true;
  request.fail_busy(too_many, wait_ms, " ms.", wait_ms);
  return false;
}

// ---- Audit -------------------------------------------------------------------------------------------------------

std::string_view subject_of(const json::Object& params) {
  constexpr std::string_view names[] = {"name", "uri", "taskId"};
  json::Value found[3];
  params.find(names, found);
  for (const json::Value value : found) {
    if (value.is(json::Type::string)) return value.string();
  }
  return {};
}

// Gives a record to the function of the application. A template, so that each kind of function has its own code.
template <bool with_caller, class Source>
[[gnu::always_inline]] inline void give(Audit::Function function, const AuditRecord& record, const Source& source) {
  if constexpr (with_caller) {
    const Caller caller = source();
    function(mcp::detail::CallerRecord(record, caller));
  } else {
    function(record);
  }
}

template <bool with_caller>
void report_request(const Request& request, const std::string_view& method, bool answered) {
  using Outcome = AuditRecord::Outcome;
  if (request.job != memory::Handle{} && answered) return;  // the end of the job has its own record
  const Outcome outcome = !answered             ? Outcome::later
                          : request.code() != 0 ? Outcome::error
                          : request.asks()      ? Outcome::asks
                          : request.tool_failed ? Outcome::failed
                                                : Outcome::ok;
  const TransportInfo* const info = request.context.info;
  const Audit::Function function = request.definition.audit.function();  // first, for less code
  give<with_caller>(function,
                    {.client = request.context.session_id(),
                     .principal = request.context.principal(),
                     .peer = info != nullptr ? info->peer : 0,
                     .method = method,
                     .subject = subject_of(request.params),
                     .outcome = outcome,
                     .error_code = answered ? request.code() : 0},
                    [&] { return Caller(request); });
}

// A scheduled call may be of a tool that is no job.
bool is_read(const Job& job) { return job.tool->job != nullptr && job.tool->job->too_late != nullptr; }

// The subject of a read is its URI.
std::string_view subject_of(const SendContext& context, const Job& job) {
  if (!is_read(job)) return job.tool->info.name;
  memory::Walk<Job> jobs(context.storage.jobs);
  while (jobs.next() != &job) {
  }
  const auto& head = *static_cast<const mcp::detail::ReadHead*>(context.storage.job_state(jobs.index()));
  return {head.uri, head.uri_size};
}

template <bool with_caller>
void report_job(SendContext& context, const Job& job, AuditRecord::Outcome outcome, int error_code) {
  const Audit::Function function = context.definition.audit.function();
  give<with_caller>(function,
                    {.client = context.session_id(),
                     .principal = job.principal,
                     .method = is_read(job) ? "resources/read" : "tools/call",
                     .subject = subject_of(context, job),
                     .outcome = outcome,
                     .error_code = error_code,
                     .duration_ms = context.now - job.started_ms},
                    [&] { return Caller(context, job); });
}

}  // namespace

constinit const RateLimiter rate_limiter{limit_call, limit_request};
constinit const AuditOps audit_ops{report_request<false>, report_job<false>};
constinit const AuditOps caller_audit_ops{report_request<true>, report_job<true>};

}  // namespace mcp::protocol
