// SPDX-License-Identifier: Apache-2.0
// The hooks of mcp/rtos.hpp.
#include <mcp/rtos.hpp>

#include "freertos_context.hpp"

namespace {

constexpr char interrupt_context = 0;

}  // namespace

// Before the scheduler starts, FreeRTOS already names the first task.
extern "C" const void* mcp_current_task() {
  if (mcp::freertos::in_interrupt()) return &interrupt_context;
  return xTaskGetSchedulerState() == taskSCHEDULER_NOT_STARTED ? nullptr : xTaskGetCurrentTaskHandle();
}

#ifdef __ARM_ARCH_6M__
// For one core. An SDK with two cores, such as mote::pico, has a lock that is not weak.
extern "C" [[gnu::weak]] std::uint32_t mcp_lock() { return portSET_INTERRUPT_MASK_FROM_ISR(); }
extern "C" [[gnu::weak]] void mcp_unlock(std::uint32_t state) { portCLEAR_INTERRUPT_MASK_FROM_ISR(state); }
#endif
