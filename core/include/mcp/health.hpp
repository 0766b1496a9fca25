// SPDX-License-Identifier: Apache-2.0
/// @file
/// Counters of rejections for lack of memory, which say what limit of a device is too small, and the reset reason.
/// @code
/// void report(const mcp::Server& server) {
///   const mcp::Health health = server.health();
///   if (health.frames_too_large != 0) board::led(100);  // raise slot_size to health.largest_frame
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>

namespace mcp {

/// Why the device has started.
enum class ResetReason : std::uint8_t {
  other,     ///< Power, the reset pin, a debugger, or a reason that the port does not know.
  watchdog,  ///< The main loop has hung, and a watchdog has reset the device.
};

/// What a server has rejected or lost since its start, for the developer and for statistics. A client gets an error for
/// each rejection. A counter stays at 65535 when it has reached this value. A counter `…_full` also counts requests of
/// a client that has used its share (Limits::reserved_for_others).
struct Health {
  std::uint32_t largest_frame = 0;  ///< Bytes of the largest frame that was too large for its FramePool; 0: none was.
  std::uint16_t frames_too_large = 0;  ///< Calls whose frame was larger than the slots of its FramePool.
  std::uint16_t frames_full = 0;       ///< Calls that found no free slot in their FramePool.
  std::uint16_t sessions_full = 0;     ///< Clients that found no slot of Limits::sessions.
  std::uint16_t jobs_full = 0;         ///< Calls that found no slot of Limits::jobs.
  std::uint16_t tasks_full = 0;        ///< Calls that found no slot of Limits::tasks.
  std::uint16_t streams_full = 0;      ///< Reads that found no slot of Limits::streams.
  /// Requests that found no slot of Limits::subscriptions or of Limits::template_subscriptions.
  std::uint16_t subscriptions_full = 0;
  std::uint16_t elicitations_full = 0;  ///< Server::elicitation_completed() without a slot of Limits::elicitations.
  std::uint16_t logs_lost =
      0;  ///< Messages that left Limits::log_size before a client got them, per client; and without `.logging`.
  std::uint16_t messages_too_long = 0;  ///< Messages longer than Limits::receive_size, which the server dropped.
  std::uint16_t mailbox_logs_lost = 0;  ///< Mailbox::log() without a slot of Limits::mailbox_logs.
  ResetReason reset_reason = ResetReason::other;  ///< As Server::set_reset_reason() has set it.
  std::uint8_t found_rows_omitted = 0;  ///< Found rows that a list omitted: invalid, or too long. It stays at 255.
  std::uint32_t stale_answers = 0;      ///< As Server::stale_answers().
};

/// @cond server
namespace detail {

/// Counts one event, at most 65535 of them, or 255.
template <class Counter>
void count(Counter& counter) {
  if (counter != static_cast<Counter>(-1)) ++counter;
}

}  // namespace detail
/// @endcond

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
