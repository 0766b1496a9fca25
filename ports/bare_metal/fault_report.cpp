// SPDX-License-Identifier: Apache-2.0
// The report that a board prints on its UART before a fault or a failed assertion ends the image. It runs with
// interrupts off on a fresh stack and uses no variable, because RAM may be damaged.
#include "ports/bare_metal/startup.hpp"

namespace board {

// Of an image that has no UART driver.
[[gnu::weak]] void write_polled(char) {}

void report(const char* text, const std::uint32_t* values) {
  for (; *text != '\0'; ++text) {
    if (*text != value_mark) {
      write_polled(*text);
      continue;
    }
    for (unsigned shift = 32; shift != 0;) {
      shift -= 4;
      write_polled("0123456789abcdef"[*values >> shift & 0xF]);
    }
    ++values;
  }
}

}  // namespace board
