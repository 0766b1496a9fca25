// SPDX-License-Identifier: Apache-2.0
// Sleeping until an event. Knows no source of events, and no timer but the board's alarm.
#include <atomic>

#include "mcp/ports/board.hpp"
#include "mcp/ports/processor.hpp"
#include "ports/bare_metal/startup.hpp"

namespace board {
namespace {

std::atomic<bool> event;

}  // namespace

void wake_from_isr() { event.store(true, std::memory_order_relaxed); }

void wait_for_event(mcp::Millis timeout_ms) {
  const mcp::Millis start_ms = millis();
  for (;;) {
    // With interrupts off nothing can come between the look at `event` and the sleep, and an interrupt that is pending
    // still ends the sleep: no event is lost.
    const InterruptsOff guard;
    if (event.load(std::memory_order_relaxed)) break;
    if (timeout_ms != mcp::forever) {
      const mcp::Millis elapsed_ms = millis() - start_ms;
      if (elapsed_ms >= timeout_ms) break;
      start_alarm(timeout_ms - elapsed_ms);
    }
    wait_for_interrupt();
  }
  // Events so far cause no further return, because the caller checks everything now.
  event.store(false, std::memory_order_relaxed);
}

}  // namespace board
