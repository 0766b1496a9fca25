// SPDX-License-Identifier: Apache-2.0
// Counts messages, errors and times for the figures. Only servers with a row of health_resource() link it. It replaces
// other optional code, and calls that code.
#include "engine/feature.hpp"
#include "engine/request.hpp"
#include "kit/figures/figure_counts.hpp"
#include "mcp/call.hpp"
#include "mcp/json/value.hpp"
#include "mcp/mailbox.hpp"

namespace mcp::protocol {
namespace {

using mcp::detail::FigurePool;
using mcp::detail::Figures;
using mcp::detail::Job;
using mcp::detail::StorageView;

void count_error(Figures& figures, int code) {
  std::size_t i = 0;
  while (i < std::size(Figures::codes) && Figures::codes[i] != code) ++i;
  mcp::detail::count(figures.errors[i]);
}

std::uint16_t& mark_of(Figures& figures, FigurePool pool) { return figures.high_water[static_cast<std::size_t>(pool)]; }

// A pool takes its first free slot. So slots are used for the first time in their order. The number of such slots is
// the most that were in use at the same time.
void note_pool(Figures& figures, FigurePool pool, const memory::Slots& slots) {
  std::uint16_t& mark = mark_of(figures, pool);
  while (mark < slots.capacity() && slots.was_used(mark)) ++mark;
}

// URIs of templates with subscriptions are counted in the same way.
void note_instances(const StorageView& storage, Figures& figures) {
  std::uint16_t& mark = mark_of(figures, FigurePool::template_subscriptions);
  while (mark < storage.instance_count && !storage.instance_uri(mark).empty()) ++mark;
}

// If the clock goes back by at most this time, the counted time does not change. Any other step counts as a step
// forward, also a step of more than 2^31 ms between two polls.
constexpr Millis most_back_ms = 60'000;

// Counts the error of a request, and whether it lacked a scope. The end of a job has its own record.
void count_request(const Request& request, const std::string_view&, bool answered) {
  Figures& figures = *request.storage.figures();
  if (request.context.error >= Reply::Error::scope) mcp::detail::count(figures.refused);
  const bool is_job = request.job != memory::Handle{};
  if (!answered || request.code() == 0 || is_job) return;
  count_error(figures, request.code());
}

void count_job(SendContext& context, const Job&, AuditRecord::Outcome outcome, int error_code) {
  if (outcome == AuditRecord::Outcome::error) count_error(*context.storage.figures(), error_code);
}

RequestKind count_in_session(SendContext& context, const rpc::Envelope& envelope, bool) {
  count_message(context, envelope);
  return RequestKind::session;
}

bool is_never_stateless(const json::Object&) { return false; }

// The call after this one takes the posts out of their slots. So the slots in use now are the most since the last call.
void note_mailbox(const StorageView& storage) {
  std::uint16_t& mark = mark_of(*storage.figures(), FigurePool::mailbox_logs);
  const std::size_t used = storage.services.mailbox->waiting_logs();
  if (used > mark) mark = static_cast<std::uint16_t>(used);
}

// For Server::poll().
Millis note_poll(const Definition&, const StorageView& storage, Millis now) {
  Figures& figures = *storage.figures();
  const bool had_begun = figures.has_begun;
  const std::uint64_t before = figures.uptime_ms;
  note_time(storage, now);
  const std::uint64_t gap_ms = figures.uptime_ms - before;
  if (had_begun && gap_ms > figures.longest_poll_ms) figures.longest_poll_ms = static_cast<Millis>(gap_ms);
  return forever;
}

}  // namespace

void note_time(const StorageView& storage, Millis now) {
  Figures& figures = *storage.figures();
  const Millis passed_ms = figures.has_begun ? now - figures.noted_ms : 0;
  if (0 - passed_ms > most_back_ms || passed_ms == 0) {
    figures.uptime_ms += passed_ms;
    figures.noted_ms = now;
    figures.has_begun = true;
  }
  note_pool(figures, FigurePool::sessions, storage.sessions);
  note_pool(figures, FigurePool::jobs, storage.jobs);
  note_pool(figures, FigurePool::tasks, storage.tasks);
  note_pool(figures, FigurePool::scheduled_calls, storage.scheduled);
  note_pool(figures, FigurePool::streams, storage.streams);
  note_pool(figures, FigurePool::subscriptions, storage.subscriptions);
  note_pool(figures, FigurePool::elicitations, storage.elicitation_ends);
  note_instances(storage, figures);
}

void count_message(const SendContext& context, const rpc::Envelope& envelope) {
  Figures& figures = *context.storage.figures();
  switch (envelope.kind) {
    case rpc::Kind::request: return mcp::detail::count(figures.requests);
    case rpc::Kind::notification: return mcp::detail::count(figures.notifications);
    case rpc::Kind::response: return mcp::detail::count(figures.responses);
    case rpc::Kind::invalid: break;
  }
  mcp::detail::count(figures.invalid);
  count_error(figures, rpc::invalid_request);
}

void count_rejected(const SendContext& context) {
  if (context.rejection != 0) count_error(*context.storage.figures(), context.rejection);
}

bool drain_counted(const StorageView& storage, Millis now) {
  note_mailbox(storage);
  return drain_mailbox(storage, now);
}

bool drain_traced_counted(const StorageView& storage, Millis now) {
  note_mailbox(storage);
  return drain_traced_mailbox(storage, now);
}

constinit const Feature figures_feature{{}, nullptr, note_poll};
constinit const StatelessOps counted_session_ops{count_in_session, is_never_stateless, nullptr, nullptr};
constinit const AuditOps count_ops{count_request, count_job};

}  // namespace mcp::protocol
