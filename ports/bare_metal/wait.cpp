// SPDX-License-Identifier: Apache-2.0
// Sleeping until an event. Knows no source of events, and no timer but the board's alarm.
#include "ports/bare_metal/wait.hpp"

namespace board {

constinit std::atomic<bool> wake_event;

void wake_from_isr() { wake_event.store(true, std::memory_order_relaxed); }

// An image with a watchdog has the function of watchdog.cpp.
[[gnu::weak]] void wait_for_event(mcp::Millis timeout_ms) {
  sleep_until_event(timeout_ms, mcp::forever, [] {});
}

}  // namespace board
