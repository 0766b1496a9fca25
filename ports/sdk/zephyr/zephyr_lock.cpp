// SPDX-License-Identifier: Apache-2.0
// The lock of a Mailbox (mcp/rtos.hpp) on a processor without compare-and-swap, such as a Cortex-M0.
#include <mcp/rtos.hpp>

#include <zephyr/irq.h>

extern "C" std::uint32_t mcp_lock() { return irq_lock(); }
extern "C" void mcp_unlock(std::uint32_t state) { irq_unlock(state); }
