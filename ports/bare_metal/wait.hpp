// SPDX-License-Identifier: Apache-2.0
// The sleep of the main loop, with and without a watchdog. For ports only.
#pragma once

#include <algorithm>
#include <atomic>

#include "mcp/ports/processor.hpp"
#include "ports/bare_metal/startup.hpp"

namespace board {

/// Set by wake_from_isr().
extern std::atomic<bool> wake_event;

/// Sleeps until an event, for at most `timeout_ms`. Calls `feed` before it looks for one, at least every `longest_ms`.
template <class Feed>
[[gnu::always_inline]] inline void sleep_until_event(mcp::Millis timeout_ms, mcp::Millis longest_ms, Feed feed) {
  const mcp::Millis start_ms = millis();
  is_alarm_set.store(false, std::memory_order_relaxed);  // that of the last sleep
  for (;;) {
    feed();
    // With interrupts off nothing can come between the look at the event and the sleep, and an interrupt that is
    // pending still ends the sleep: no event is lost.
    const InterruptsOff guard;
    if (wake_event.load(std::memory_order_relaxed)) break;
    if (is_alarm_set.load(std::memory_order_relaxed)) {
      // The time is not over.
    } else if (timeout_ms != mcp::forever) {
      const mcp::Millis elapsed_ms = millis() - start_ms;
      if (elapsed_ms >= timeout_ms) break;
      start_alarm(std::min(timeout_ms - elapsed_ms, longest_ms));
    } else if (longest_ms != mcp::forever) {
      start_alarm(longest_ms);
    }
    wait_for_interrupt();
  }
  // Events so far cause no further return, because the caller checks everything now.
  wake_event.store(false, std::memory_order_relaxed);
}

}  // namespace board
