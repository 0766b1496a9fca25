// SPDX-License-Identifier: Apache-2.0
// Posts of other tasks and of interrupts, and how the server takes them.
#include "mcp/mailbox.hpp"

#include <cstring>

#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/send_context.hpp"
#include "mcp/assert.hpp"
#include "mcp/coroutine.hpp"
#include "mcp/health.hpp"
#include "mcp/job_context.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/trace.hpp"

namespace mcp {

using detail::Job;
using detail::LogSlot;
using detail::StorageView;
using detail::TraceKind;

void Mailbox::resource_updated(const Resource& resource) const {
  const auto index = static_cast<std::size_t>(&resource - view_.resources.data());
  MCP_ASSERT(index < view_.resources.size());
  view_.updates[index / 32].set(std::uint32_t{1} << index % 32);
  post();
}

namespace {

// The beginning of a string. substr() would link the function for an exception.
std::string_view cut(std::string_view text, std::size_t most) {
  return {text.data(), text.size() < most ? text.size() : most};
}

char* copy(char* to, std::string_view text) {
  if (!text.empty()) std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

}  // namespace

bool Mailbox::log(LogLevel level, std::string_view logger, std::string_view text) const {
  char* bytes = view_.bytes;
  for (LogSlot<>& slot : view_.logs) {
    if (slot.state.replace(LogSlot<>::free, LogSlot<>::writing) == LogSlot<>::free) {
      logger = cut(logger, view_.log_size < 0xFF ? view_.log_size : 0xFF);
      text = cut(text, view_.log_size - logger.size());
      copy(copy(bytes, logger), text);
      slot.level = level;
      slot.logger_size = static_cast<std::uint8_t>(logger.size());
      slot.text_size = static_cast<std::uint16_t>(text.size());
      slot.order = view_.state->next_order.add(1);
      slot.state.store(LogSlot<>::ready);
      post();
      return true;
    }
    bytes += view_.log_size;
  }
  view_.state->lost_logs.add(1);
  post();
  return false;
}

bool JobHandle::wake() const {
  if (mailbox_ == nullptr || !mailbox_->view_.wakes[slot_].wake(serial_)) return false;
  mailbox_->post();
  return true;
}

namespace {

// Records nothing.
struct NoRecorder {
  static constexpr bool is_traced = false;
  static void updated(const Mailbox&, std::size_t) {}
  static void woken(const Mailbox&, std::size_t) {}
  static void logged(const Mailbox&, const LogSlot<>&, const char*) {}
  static void lost(const Mailbox&, std::uint32_t) {}
};

}  // namespace

/// The server's side of a Mailbox.
template <class Recorder = NoRecorder>
class MailboxReader {
 public:
  explicit MailboxReader(const StorageView& storage)
      : storage_(storage), mailbox_(*storage.services.mailbox), view_(mailbox_.view_) {}

  /// Takes all posts. Returns true if there was one.
  bool drain(Millis now) {
    // The Mailbox belongs to the Storage of this server. A job that calls handle() does not know the kind of its
    // mailbox.
    MCP_ASSERT(view_.server == storage_.server_request_ids && view_.is_traced == Recorder::is_traced);
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
      Job* const job = storage_.jobs.find(slot.job);
      const bool runs = job != nullptr && job->started_ms == slot.started_ms;
      // The client decides when a job that waits for input continues. The wake ends the next sleep of the job.
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
    // At most one message per slot, so that fast posts cannot keep the server here. The next poll takes the rest.
    while (count < view_.logs.size() && take_log()) ++count;
    const std::uint32_t lost = view_.state->lost_logs.load() == 0 ? 0 : view_.state->lost_logs.exchange(0);
    if (lost != 0) report(lost);
    return count != 0 || lost != 0;
  }

  JobHandle handle(memory::Handle job, Millis started_ms) {
    MCP_DEBUG_ASSERT(job.index < view_.wakes.size());
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
  [[nodiscard]] bool waits_for_input(const Job& job) const {
    if (job.parked != detail::Parked::no || job.input_id != 0) return true;
    const detail::Task* const task = storage_.tasks.find(job.task);
    return task != nullptr && task->status == detail::TaskStatus::input_required;
  }

  // The oldest message that is older than `oldest`, or `oldest` if there is none.
  [[nodiscard]] const LogSlot<>* older_than(const LogSlot<>* oldest) const {
    for (const LogSlot<>& slot : view_.logs) {
      if (slot.state.load() != LogSlot<>::ready) continue;
      if (oldest == nullptr || static_cast<std::int32_t>(slot.order - oldest->order) < 0) oldest = &slot;
    }
    return oldest;
  }

  bool take_log() {
    const LogSlot<>* oldest = older_than(nullptr);
    if (oldest == nullptr) return false;
    // During the first search, a task may post into a slot that the search has passed, and then into a later slot. The
    // second search sees everything that the task posted before.
    oldest = older_than(oldest);
    const auto index = static_cast<std::size_t>(oldest - view_.logs.data());
    MCP_DEBUG_ASSERT(std::size_t{oldest->logger_size} + oldest->text_size <= view_.log_size);
    const char* const bytes = view_.bytes + index * view_.log_size;
    Recorder::logged(mailbox_, *oldest, bytes);
    protocol::write_log(storage_, oldest->level, {bytes, oldest->logger_size},
                        {bytes + oldest->logger_size, oldest->text_size});
    view_.logs[index].state.store(LogSlot<>::free);
    return true;
  }

  void report(std::uint32_t lost) {
    Recorder::lost(mailbox_, lost);
    std::uint16_t& counter = storage_.health().mailbox_logs_lost;
    const std::uint32_t sum = counter + (lost < 0xFFFF ? lost : 0xFFFF);
    counter = static_cast<std::uint16_t>(sum < 0xFFFF ? sum : 0xFFFF);
    if (storage_.log_state == nullptr) return;  // the Definition has no .logging
    char text[40];
    json::Writer out(text);
    out.append_number(std::uint64_t{lost});
    out.append(" messages were lost.");
    protocol::write_log(storage_, LogLevel::warning, "mailbox", {text, out.size()});
  }

  const StorageView& storage_;
  const Mailbox& mailbox_;
  const detail::MailboxView& view_;
};

bool protocol::drain_mailbox(const StorageView& storage, Millis now) { return MailboxReader<>(storage).drain(now); }

JobHandle JobContext::handle() const {
  MCP_ASSERT(context_.storage.services.mailbox != nullptr);
  // A scheduled call has no slot in the pool of jobs.
  if (stop_requested_ || context_.job == memory::Handle{}) return {};
  return MailboxReader<>(context_.storage).handle(context_.job, job_.started_ms);
}

JobHandle CoroutineContext::handle() const { return step_->context.handle(); }

// Records posts in a trace when the server takes them, so that posts take no more time.
struct TraceRecorder {
  static constexpr bool is_traced = true;
  static Trace& trace(const Mailbox& mailbox) { return *static_cast<const TracedMailbox&>(mailbox).trace_; }
  static void updated(const Mailbox& mailbox, std::size_t resource) {
    trace(mailbox).add(TraceKind::updated, resource);
  }
  static void woken(const Mailbox& mailbox, std::size_t job) { trace(mailbox).add(TraceKind::woken, job); }
  static void logged(const Mailbox& mailbox, const LogSlot<>& slot, const char* bytes) {
    const std::uint32_t numbers[] = {static_cast<std::uint32_t>(slot.level), slot.logger_size};
    trace(mailbox).add_log(numbers, {bytes, std::size_t{slot.logger_size} + slot.text_size});
  }
  static void lost(const Mailbox& mailbox, std::uint32_t count) { trace(mailbox).add(TraceKind::log_lost, count); }
};

bool protocol::drain_traced_mailbox(const StorageView& storage, Millis now) {
  return MailboxReader<TraceRecorder>(storage).drain(now);
}

}  // namespace mcp
