// SPDX-License-Identifier: Apache-2.0
/// @file
/// The memory of a server: one object that starts as zero, in .bss.
/// @code
/// constexpr mcp::Definition definition{.name = "thermometer", .version = "1.0.0"};
/// constinit mcp::Storage<definition> storage;  // or mcp::Storage<definition, limits>
/// static_assert(sizeof(storage) <= 8192, "the RAM budget of this firmware");
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "mcp/definition.hpp"
#include "mcp/detail/atomic.hpp"
#include "mcp/detail/link.hpp"
#include "mcp/detail/mailbox_state.hpp"
#include "mcp/detail/server_state.hpp"
#include "mcp/job.hpp"
#include "mcp/limits.hpp"

namespace mcp {

namespace detail {

/// The largest state of a job in a table of tools, in bytes; at least `largest`.
constexpr std::size_t largest_job(std::span<const Tool> tools, std::size_t largest = 0) {
  for (const Tool& tool : tools) {
    if (tool.is_job && tool.job->size > largest) largest = tool.job->size;
  }
  return largest;
}

/// The largest state of a job in all tables.
constexpr std::size_t largest_job(const Definition& definition) {
  std::size_t largest = largest_job(definition.found_tools.kinds(), largest_job(definition.tools.rows()));
  if (definition.resources.uses.job_size > largest) largest = definition.resources.uses.job_size;
  if (definition.resource_templates.uses.job_size > largest) largest = definition.resource_templates.uses.job_size;
  return largest;
}

/// The largest state of a scheduled call in a table, in bytes.
constexpr std::size_t largest_scheduled(std::span<const Tool> tools) {
  std::size_t largest = 0;
  for (const Tool& tool : tools) {
    if (tool.scheduled_size > largest) largest = tool.scheduled_size;
  }
  return largest;
}

/// The number of slots in each pool of a Storage; 0 if the Definition does not use the pool.
struct Counts {
  std::size_t resources;  // of the table, and found ones that clients may subscribe to
  std::size_t instances;
  std::size_t switchable_rows;
  std::size_t jobs;
  std::size_t job_stride;
  std::size_t caller_size;
  std::size_t session_caller_size;
  std::size_t tasks;
  std::size_t detached_sessions;
  std::size_t scheduled;
  std::size_t scheduled_state;
  std::size_t elicitations;
  std::size_t streams;
  std::size_t stream_state_size;
  std::size_t subscriptions;
  std::size_t log_size;
  std::size_t mailbox_logs;
  bool state_key;
  bool figures;

  constexpr Counts(const Definition& definition, const Limits& limits)
      : resources(definition.resources.rows().size() + definition.found_resources.targets()),
        instances(definition.resource_templates.uses.subscribable ? limits.template_subscriptions : 0),
        switchable_rows(definition.list_changes.on() || definition.hides_rows() ? definition.rows() : 0),
        jobs(definition.has_jobs() ? limits.jobs : 0),
        job_stride((largest_job(definition) + 7) / 8 * 8 + detail::caller_size(limits)),
        caller_size(detail::caller_size(limits)),
        session_caller_size(limits.client_info_size != 0 && definition.eras.legacy() ? caller_size : 0),
        tasks(definition.tool_uses().tasks ? limits.tasks : 0),
        detached_sessions(definition.tool_uses().tasks_outlive && definition.eras.legacy() ? 1 : 0),
        scheduled(definition.tools.uses.scheduled ? limits.scheduled_calls : 0),
        scheduled_state((largest_scheduled(definition.tools.rows()) + 7) / 8 * 8),
        elicitations(definition.url_elicitations.on() ? limits.elicitations : 0),
        streams(definition.resources.uses.streams || definition.resource_templates.uses.streams ? limits.streams : 0),
        stream_state_size(detail::stream_state_size(definition.resource_templates.rows())),
        subscriptions(definition.subscriptions.on() ? limits.subscriptions : 0),
        log_size(definition.logging.on() ? limits.log_size : 0),
        mailbox_logs(definition.logging.on() ? limits.mailbox_logs : 0),
        state_key(uses_mrtr(definition) || seals_prompts(definition)),
        figures(definition.resources.uses.figures) {}
};

}  // namespace detail

/// The memory of one server: `constinit mcp::Storage<definition, limits> storage;`. `D` is a constant of namespace
/// scope. Lifetime: static. Its size is the static RAM that the protocol needs. One Storage belongs to one Server.
template <const Definition& D, Limits L = Limits{}>
class Storage {
 public:
  static constexpr const Definition& definition = D;  ///< The Definition of the server.
  static constexpr Limits limits = L;                 ///< The sizes as the application has chosen them.
  static_assert(L.sessions >= 1 && L.sessions <= 0xFFFF, "Limits::sessions is 1 to 65535");
  static_assert(L.log_size <= 0xFFFF, "Limits::log_size is 0 to 65535");
  static_assert(L.mailbox_log_size <= 0xFFFF, "Limits::mailbox_log_size is 0 to 65535");
  static_assert(L.task_result_size <= 0xFFFF, "Limits::task_result_size is 0 to 65535");
  static_assert(L.call_burst <= 0xFFFF, "Limits::call_burst is 0 to 65535");
  static_assert((L.call_burst == 0) == (L.call_interval_ms == 0),
                "Limits::call_burst and Limits::call_interval_ms are set together");
  static_assert(L.call_owners >= 1 && L.call_owners <= 0xFFFF, "Limits::call_owners is 1 to 65535");
  static_assert(L.session_idle_ms < 0x8000'0000, "Limits::session_idle_ms is below 2^31");
  static_assert(L.own_session_idle_ms < 0x8000'0000, "Limits::own_session_idle_ms is below 2^31");
  static_assert(L.reserved_for_others <= 0xFFFF, "Limits::reserved_for_others is 0 to 65535");
  static_assert(L.subscriptions <= 0xFFFF, "Limits::subscriptions is 0 to 65535");
  static_assert(L.jobs <= 0xFFFF, "Limits::jobs is 0 to 65535");
  static_assert(L.tasks <= 0xFFFF, "Limits::tasks is 0 to 65535");
  static_assert(L.streams <= 0xFFFF, "Limits::streams is 0 to 65535");
  static_assert(L.elicitations <= 0xFFFF, "Limits::elicitations is 0 to 65535");
  static_assert(L.scheduled_calls <= 0xFFFF, "Limits::scheduled_calls is 0 to 65535");
  static_assert(L.scheduled_result_size <= 0x7FFF, "Limits::scheduled_result_size is 0 to 32767");
  static_assert(L.task_ttl_ms <= 0x7FFFFFFF, "Limits::task_ttl_ms is below 2^31");
  static_assert(L.call_interval_ms <= 0x7FFFFFFF, "Limits::call_interval_ms is below 2^31");
  static_assert(L.template_subscriptions <= 0xFFFF, "Limits::template_subscriptions is 0 to 65535");
  static_assert(L.uri_size >= 1 && L.uri_size <= 0xFFFE, "Limits::uri_size is 1 to 65534");
  static_assert(L.client_info_size <= 4096, "Limits::client_info_size is 0 to 4096");
  static_assert(L.id_size >= 3, "Limits::id_size is at least 3");
  static_assert(L.id_size <= 0xFFFF, "Limits::id_size is at most 65535");
  static_assert(L.receive_size >= 128, "Limits::receive_size is at least 128");

  /// For the server.
  consteval detail::StorageView view() {
    return {.receive_buffer = receive_buffer_,
            .transmit_buffer = {transmit_buffer_, L.transmit_size},
            .sessions = memory::Pool<detail::Session>(std::span(sessions_).first(L.sessions)),
            .subscribed = subscribed_,
            .updated = updated_,
            .updated_from_isr = {updated_from_isr_, n.resources},
            .jobs = memory::Pool<detail::Job>(jobs_.span()),
            .job_ids = job_ids_.span().data(),
            .job_states = job_states_.span().data(),
            .job_stride = n.job_stride,
            .tasks = memory::Pool<detail::Task>(tasks_.span()),
            .task_bytes = task_bytes_.span().data(),
            .task_ttl_ms = L.task_ttl_ms,
            .elicitation_ends = memory::Pool<detail::ElicitationEnd>(elicitation_ends_.span()),
            .server_request_ids = &ids(),
            .task_result_size = static_cast<std::uint16_t>(L.task_result_size),
            .words = static_cast<std::uint16_t>(words),
            .id_size = static_cast<std::uint16_t>(L.id_size),
            .call_burst = static_cast<std::uint16_t>(L.call_burst),
            .call_interval_ms = L.call_interval_ms,
            .call_buckets = call_buckets_.span(),
            .session_idle_ms = L.session_idle_ms,
            .own_session_idle_ms = L.own_session_idle_ms,
            .reserved_for_others = static_cast<std::uint16_t>(L.reserved_for_others),
            .instance_count = static_cast<std::uint16_t>(n.instances),
            .uri_size = static_cast<std::uint16_t>(L.uri_size),
            .caller_size = static_cast<std::uint16_t>(n.caller_size),
            .instances = instances_.span().data(),
            .scheduled_state_size = static_cast<std::uint16_t>(n.scheduled_state),
            .figures_offset = n.figures ? detail::WithFigures<Ids>::offset : 0,
            .scheduled = {scheduled_.span().data(), n.scheduled, sizeof(ScheduledSlot)},
            .streams = memory::Pool<detail::Stream>(streams_.span()),
            .stream_ids = stream_ids_.span().data(),
            .subscriptions = memory::Pool<detail::Subscription>(subscriptions_.span()),
            .subscription_words = subscription_words_.span().data(),
            .disabled = disabled_.span(),
            .log_bytes = log_bytes_.span(),
            .log_state = log_state_.span().data()};
  }

  /// For the Mailbox.
  consteval detail::MailboxView mailbox_view() {
    if constexpr (L.mailbox) {
      return {.resources = D.resources.rows(),
              .updates = mailbox_.updates.span().data(),
              .wakes = mailbox_.wakes.span(),
              .logs = mailbox_.logs.span(),
              .bytes = mailbox_.bytes.span().data(),
              .log_size = L.mailbox_log_size,
              .state = &mailbox_.state,
              .server = &ids()};
    } else {
      return {};
    }
  }

 private:
  static constexpr detail::Counts n{D, L};
  static constexpr std::size_t targets = n.resources + n.instances;  // of sessions
  static constexpr std::size_t words = memory::BitSet::words_for(targets == 0 ? 1 : targets);

  using Ids = std::conditional_t<n.state_key, detail::KeyedServerRequestIds, detail::ServerRequestIds>;
  consteval Ids& ids() {
    if constexpr (n.figures) {
      return server_request_ids_.ids;
    } else {
      return server_request_ids_;
    }
  }

  using ScheduledSlot = detail::ScheduledSlot<n.scheduled_state + L.scheduled_result_size>;
  static_assert(sizeof(ScheduledSlot) <= 0xFFFF, "a scheduled call and its result have at most 65535 bytes");

  detail::Session sessions_[L.sessions + n.detached_sessions] = {};  // the last one: StorageView::detached_session()
  static constexpr std::size_t caller_words = n.session_caller_size / sizeof(memory::BitSet::Word);
  memory::BitSet::Word subscribed_[L.sessions * (words + caller_words)] = {};  // then StorageView::session_caller()
  memory::BitSet::Word updated_[L.sessions * words] = {};
  detail::Atomic<std::uint8_t> updated_from_isr_[n.resources == 0 ? 1 : n.resources] = {};
  detail::Items<detail::Job, n.jobs> jobs_ = {};
  alignas(8) detail::Items<char, n.jobs* n.job_stride> job_states_ = {};
  detail::Items<char, n.jobs* 2 * L.id_size> job_ids_ = {};
  detail::Items<detail::Task, n.tasks> tasks_ = {};
  detail::Items<char, n.tasks*(2 * L.id_size + L.task_result_size)> task_bytes_ = {};
  detail::Items<ScheduledSlot, n.scheduled> scheduled_ = {};
  detail::Items<detail::ElicitationEnd, n.elicitations> elicitation_ends_ = {};
  std::conditional_t<n.figures, detail::WithFigures<Ids>, Ids> server_request_ids_ = {};
  detail::Items<memory::BitSet::Word, memory::BitSet::words_for(n.switchable_rows)> disabled_ = {};
  detail::Items<detail::CallBucket, (L.call_burst != 0 ? L.call_owners + 1 : 0)> call_buckets_ = {};
  detail::Items<detail::Stream, n.streams> streams_ = {};
  std::conditional_t<
      n.streams * n.stream_state_size == 0, detail::Items<char, n.streams * L.id_size>,
      detail::AlignedBytes<detail::first_stream_state(n.streams, L.id_size) + n.streams* n.stream_state_size>>
      stream_ids_ = {};
  detail::Items<detail::Subscription, n.subscriptions> subscriptions_ = {};
  detail::Items<memory::BitSet::Word,
                n.subscriptions * detail::StorageView::subscription_stride(targets + n.tasks, L.id_size)>
      subscription_words_ = {};
  detail::Items<char, n.instances*(L.uri_size + 1)> instances_ = {};
  detail::Items<detail::LogState, (n.log_size != 0 ? 1 : 0)> log_state_ = {};
  detail::Items<char, n.log_size> log_bytes_ = {};
  std::conditional_t<L.mailbox,
                     detail::MailboxMemory<D.resources.rows().size(), n.jobs, n.mailbox_logs, L.mailbox_log_size>,
                     detail::Items<char, 0>>
      mailbox_ = {};
  char receive_buffer_[L.receive_size + 2] = {};    // and a line end of two bytes
  char transmit_buffer_[L.transmit_size + 1] = {};  // and the line end that the transport adds
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
