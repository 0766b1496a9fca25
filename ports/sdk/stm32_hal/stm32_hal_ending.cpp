// SPDX-License-Identifier: Apache-2.0
// A failed assertion ends in the Error_Handler() of the project.
#include <mcp/assert.hpp>

#include "mcp/ports/stm32_hal.hpp"

extern "C" [[gnu::weak]] void mcp_assert_failed([[maybe_unused]] const char* file, [[maybe_unused]] int line) {
  for (;;) Error_Handler();
}
