// SPDX-License-Identifier: Apache-2.0
// Records posts in a trace when the server takes them. A player makes them before the poll that took them, so the order
// of posts within a poll does not matter.
#include "engine/hooks.hpp"
#include "mcp/trace.hpp"
#include "rtos/mailbox_reader.hpp"

namespace mcp {

using detail::TraceKind;

struct TraceRecorder {
  static Trace& trace(const Mailbox& mailbox) { return *static_cast<const TracedMailbox&>(mailbox).trace_; }
  static void updated(const Mailbox& mailbox, std::size_t resource) {
    trace(mailbox).add(TraceKind::updated, resource);
  }
  static void woken(const Mailbox& mailbox, std::size_t job) { trace(mailbox).add(TraceKind::woken, job); }
  static void logged(const Mailbox& mailbox, const detail::LogSlot<>& slot, const char* bytes) {
    const std::uint32_t numbers[] = {static_cast<std::uint32_t>(slot.level), slot.logger_size};
    trace(mailbox).add_log(numbers, {bytes, std::size_t{slot.logger_size} + slot.text_size});
  }
  static void lost(const Mailbox& mailbox, std::uint32_t count) { trace(mailbox).add(TraceKind::log_lost, count); }
};

bool protocol::drain_traced_mailbox(const detail::StorageView& storage, Millis now) {
  return MailboxReader<TraceRecorder>(storage).drain(now);
}

}  // namespace mcp
