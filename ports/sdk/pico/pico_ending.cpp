// SPDX-License-Identifier: Apache-2.0
// A failed assertion stops the core in a debugger. Without a debugger, the breakpoint is a fault, and a watchdog of the
// application then resets the chip. The panic() of the pico-sdk would link printf.
#include <mcp/assert.hpp>

#include <hardware/sync.h>
#include <pico.h>

extern "C" [[gnu::weak]] void mcp_assert_failed([[maybe_unused]] const char* file, [[maybe_unused]] int line) {
  static_cast<void>(save_and_disable_interrupts());
  for (;;) __breakpoint();
}
