// SPDX-License-Identifier: Apache-2.0
// The lock of a Mailbox (mcp/rtos.hpp) on a chip without compare-and-swap, such as ESP32-C3.
#include <mcp/rtos.hpp>

#include <freertos/FreeRTOS.h>

namespace {

portMUX_TYPE lock = portMUX_INITIALIZER_UNLOCKED;

}  // namespace

// The lock itself stores the state of the interrupts.
extern "C" std::uint32_t mcp_lock() {
  portENTER_CRITICAL_SAFE(&lock);
  return 0;
}
extern "C" void mcp_unlock(std::uint32_t) { portEXIT_CRITICAL_SAFE(&lock); }
