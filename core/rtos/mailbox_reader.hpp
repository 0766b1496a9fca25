// SPDX-License-Identifier: Apache-2.0
// What the server does with the posts of a Mailbox.
#pragma once

#include <type_traits>

#include "engine/notifications.hpp"
#include "engine/send_context.hpp"
#include "mcp/assert.hpp"
#include "mcp/health.hpp"
#include "mcp/job_context.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/mailbox.hpp"

namespace mcp {

// Records nothing.
struct NoRecorder {
  static void updated(const Mailbox&, std::size_t) {}
  static void woken(const Mailbox&, std::size_t) {}
  static void logged(const Mailbox&, const detail::LogSlot<>&, const char*) {}
  static void lost(const Mailbox&, std::uint32_t) {}
};

/// The server's side of a Mailbox.
template <class Recorder = NoRecorder>
class MailboxReader {
 public:
  explicit MailboxReader(const detail::StorageView& storage)
      : storage_(storage), mailbox_(*storage.services.mailbox), view_(mailbox_.view_) {
    MCP_ASSERT(server() == storage.server_request_ids);  // the Mailbox is of the Storage of this server
  }

  /// Takes all posts. Returns true if there was one.
  bool drain(Millis now) {
    const bool updates = take_updates();
    const bool wakes = take_wakes(now);
    return take_logs() || updates || wakes;
  }

  /// Each returns true if there was a post.
  bool take_updates() {
    bool any = false;
    for (std::size_t i = 0; i < view_.resources.size(); i += 32) {
      detail::SharedWord<>& word = view_.updates[i / 32];
      if (word.load() == 0) continue;
      std::uint32_t bits = word.exchange(0);
      for (std::size_t index = i; bits != 0; ++index, bits >>= 1U) {
        if ((bits & 1U) == 0) continue;
        Recorder::updated(mailbox_, index);
        protocol::mark_updated(storage_, index);
      }
      any = true;
    }
    return any;
  }

  bool take_wakes(Millis now) {
    bool any = false;
    for (detail::WakeSlot<>& slot : view_.wakes) {
      if (!slot.is_woken()) continue;
      detail::Job* const job = storage_.jobs.find(slot.job);
      const bool runs = job != nullptr && job->started_ms == slot.started_ms;
      // The time of such a job is that of its client. The wake stays for its next sleep.
      if (runs && waits_for_input(*job)) continue;
      slot.clear();
      if (runs) {
        Recorder::woken(mailbox_, static_cast<std::size_t>(&slot - view_.wakes.data()));
        job->wake_ms = now;
        any = true;
      }
    }
    return any;
  }

  bool take_logs() {
    std::size_t count = 0;
    // Not more than there are slots: the rest follows with the next poll, however fast messages come.
    while (count < view_.logs.size() && take_log()) ++count;
    const std::uint32_t lost = view_.state->lost_logs.load() == 0 ? 0 : view_.state->lost_logs.exchange(0);
    if (lost != 0) report(lost);
    return count != 0 || lost != 0;
  }

  JobHandle handle(memory::Handle job, Millis started_ms) {
    detail::WakeSlot<>& slot = view_.wakes[job.index];
    if (slot.job != job || slot.started_ms != started_ms) {
      std::uint32_t& serial = view_.state->last_serial;
      serial = serial == detail::WakeSlot<>::last_serial ? 1 : serial + 1;
      slot.job = job;
      slot.started_ms = started_ms;
      slot.begin(serial);
    }
    return {&mailbox_, job.index, slot.serial()};
  }

 private:
  [[nodiscard]] const detail::ServerRequestIds* server() const {
    if constexpr (std::is_same_v<Recorder, NoRecorder>) {
      return view_.server;
    } else {
      return view_.server == nullptr ? static_cast<const TracedMailbox&>(mailbox_).server_ : nullptr;
    }
  }
  [[nodiscard]] bool waits_for_input(const detail::Job& job) const {
    if (job.parked != detail::Parked::no || job.question != 0) return true;
    const detail::Task* const task = storage_.tasks.find(job.task);
    return task != nullptr && task->status == detail::TaskStatus::input_required;
  }

  // The oldest message that is older than `oldest`, or `oldest` if there is none.
  [[nodiscard]] const detail::LogSlot<>* older_than(const detail::LogSlot<>* oldest) const {
    for (const detail::LogSlot<>& slot : view_.logs) {
      if (slot.state.load() != detail::LogSlot<>::ready) continue;
      if (oldest == nullptr || static_cast<std::int32_t>(slot.order - oldest->order) < 0) oldest = &slot;
    }
    return oldest;
  }

  bool take_log() {
    const detail::LogSlot<>* oldest = older_than(nullptr);
    if (oldest == nullptr) return false;
    // During the first search, a task may post into a slot that the search has passed, and then into a later slot. The
    // second search sees everything that the task posted before.
    oldest = older_than(oldest);
    const auto index = static_cast<std::size_t>(oldest - view_.logs.data());
    const char* const bytes = view_.bytes + index * view_.log_size;
    Recorder::logged(mailbox_, *oldest, bytes);
    protocol::write_log(storage_, oldest->level, {bytes, oldest->logger_size},
                        {bytes + oldest->logger_size, oldest->text_size});
    view_.logs[index].state.store(detail::LogSlot<>::free);
    return true;
  }

  void report(std::uint32_t lost) {
    Recorder::lost(mailbox_, lost);
    std::uint16_t& counter = storage_.health().mailbox_logs_lost;
    const std::uint32_t sum = counter + (lost < 0xFFFF ? lost : 0xFFFF);
    counter = static_cast<std::uint16_t>(sum < 0xFFFF ? sum : 0xFFFF);
    char text[40];
    json::Writer out(text);
    out.append_number(std::uint64_t{lost});
    out.append(" messages were lost.");
    protocol::write_log(storage_, LogLevel::warning, "mailbox", {text, out.size()});
  }

  const detail::StorageView& storage_;
  const Mailbox& mailbox_;
  const detail::MailboxView& view_;
};

}  // namespace mcp
