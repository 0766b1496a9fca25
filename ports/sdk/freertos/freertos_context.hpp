// SPDX-License-Identifier: Apache-2.0
// The context of the running code. The ports of FreeRTOS for a Cortex-M0 have no function for it before V11.
#pragma once

#include <cstdint>

#include <FreeRTOS.h>
#include <task.h>

namespace mcp::freertos {

/// Returns whether the caller is an interrupt handler.
inline bool in_interrupt() {
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
  std::uint32_t exception = 0;
  asm volatile("mrs %0, ipsr" : "=r"(exception));
  return exception != 0;
#else
  return xPortIsInsideInterrupt() != pdFALSE;
#endif
}

}  // namespace mcp::freertos
