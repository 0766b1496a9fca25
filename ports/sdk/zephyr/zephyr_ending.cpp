// SPDX-License-Identifier: Apache-2.0
// A failed assertion is a fatal error of the kernel. The handler of the application decides whether it halts or resets.
#include <mcp/assert.hpp>

#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

extern "C" [[gnu::weak]] void mcp_assert_failed(const char* file, int line) {
  printk("mote: %s:%d: MCP_ASSERT failed\n", file, line);
  k_panic();
  for (;;) {
  }
}
