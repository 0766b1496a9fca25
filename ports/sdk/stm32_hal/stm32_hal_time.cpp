// SPDX-License-Identifier: Apache-2.0
// Time and sleep. Interrupts are off between the check of the event and the sleep, so no event is missed. A pending
// interrupt still ends WFI.
#include <atomic>

#include "mcp/ports/stm32_hal.hpp"

namespace mcp::stm32 {
namespace {

std::atomic<bool> event;

}  // namespace

Millis millis() { return HAL_GetTick(); }

void wait_for_event(Millis timeout_ms) {
  const Millis start_ms = millis();
  for (;;) {
    const InterruptsOff guard;
    if (event.load(std::memory_order_relaxed)) break;
    if (timeout_ms != forever && millis() - start_ms >= timeout_ms) break;
    __DSB();
    __WFI();
  }
  // Earlier events cause no further return, because the caller checks everything now.
  event.store(false, std::memory_order_relaxed);
}

[[gnu::weak]] void wake() { event.store(true, std::memory_order_relaxed); }

}  // namespace mcp::stm32
