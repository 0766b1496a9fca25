// SPDX-License-Identifier: Apache-2.0
// The watchdog of an image that starts one: the sleep of the main loop feeds it, and nothing else does. Knows no timer.
#include "ports/bare_metal/watchdog.hpp"

#include <utility>

#include "ports/bare_metal/wait.hpp"

namespace board {
namespace {

constexpr std::uint32_t reset_mark = 0x57D0'6BAD;

[[gnu::section(".noinit")]] std::uint32_t mark;
ResetReason reason;
bool is_reason_read;
bool is_reason_taken;
mcp::Millis feed_interval_ms;  // 0: there is no watchdog yet

void read_reason() {
  if (is_reason_read) return;
  is_reason_read = true;
  const bool is_register_set = take_watchdog_reset();
  if (is_register_set || mark == reset_mark) reason = ResetReason::watchdog;
  mark = 0;
}

}  // namespace

void mark_watchdog_reset() { mark = reset_mark; }
void clear_watchdog_mark() { mark = 0; }

void start_watchdog(mcp::Millis timeout_ms) {
  read_reason();
  if (reason == ResetReason::watchdog) report("\nmote: reset by the watchdog\n");
  begin_watchdog(timeout_ms);
  // A quarter of the time from the last feeding to the first of two interrupts.
  feed_interval_ms = timeout_ms / 4;
}

ResetReason take_reset_reason() {
  read_reason();
  // start_watchdog() still prints it.
  return std::exchange(is_reason_taken, true) ? ResetReason::other : reason;
}

void wait_for_event(mcp::Millis timeout_ms) {
  if (feed_interval_ms == 0) return sleep_until_event(timeout_ms, mcp::forever, [] {});
  sleep_until_event(timeout_ms, feed_interval_ms, feed_watchdog);
}

}  // namespace board
