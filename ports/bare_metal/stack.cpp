// SPDX-License-Identifier: Apache-2.0
// Measures the used stack by the pattern that start-up has written to it.
#include "ports/bare_metal/startup.hpp"

namespace board {

std::size_t stack_high_water() {
  const volatile std::uint32_t* word = mote_stack_bottom;
  while (word < mote_stack_top && *word == stack_paint) ++word;
  return static_cast<std::size_t>(mote_stack_top - word) * sizeof *word;
}

}  // namespace board
