// SPDX-License-Identifier: Apache-2.0
// The critical section of a Mailbox: a Cortex-M0 has no compare-and-swap.
#include <mcp/rtos.hpp>

extern "C" [[gnu::weak]] std::uint32_t mcp_lock() {
  std::uint32_t was_off = 0;
  asm volatile("mrs %0, primask\n cpsid i" : "=r"(was_off)::"memory");
  return was_off;
}

extern "C" [[gnu::weak]] void mcp_unlock(std::uint32_t state) {
  asm volatile("msr primask, %0" ::"r"(state) : "memory");
}
