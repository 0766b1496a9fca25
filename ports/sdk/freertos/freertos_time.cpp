// SPDX-License-Identifier: Apache-2.0
#include "freertos_context.hpp"
#include "freertos_ticks.hpp"
#include "mcp/ports/freertos.hpp"

namespace mcp::freertos {
namespace {

constexpr std::uint32_t rate = tick_rate<configTICK_RATE_HZ>();

constinit TickClock<TickType_t> clock;

// The tick count is read inside, so that an earlier count cannot follow a later one.
Millis counted() {
  if (in_interrupt()) {
    const UBaseType_t state = taskENTER_CRITICAL_FROM_ISR();
    const Millis now = clock.at(xTaskGetTickCountFromISR(), rate);
    taskEXIT_CRITICAL_FROM_ISR(state);
    return now;
  }
  taskENTER_CRITICAL();
  const Millis now = clock.at(xTaskGetTickCount(), rate);
  taskEXIT_CRITICAL();
  return now;
}

}  // namespace

Millis millis() {
  if constexpr (is_multiple<TickType_t>(rate)) {
    const TickType_t ticks = in_interrupt() ? xTaskGetTickCountFromISR() : xTaskGetTickCount();
    return static_cast<Millis>(ticks) * (1000 / rate);
  }
  return counted();
}

}  // namespace mcp::freertos
