// SPDX-License-Identifier: Apache-2.0
// The pins of a chip below a core of Arduino, as registers and wires.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace fake {

struct Pin {
  bool drives = false;    // the output is on
  bool latch = false;     // the level that it drives
  char pull = '-';        // -, u, d
  bool wire = false;      // the level of an input without a pull
  bool is_timer = false;  // a timer has the output
  std::string trace;      // what the output did: z (off), L, H, t (a timer)
  void (*handler)() = nullptr;
  int edges = 0;  // of the handler, a mode of the core

  // Notes a change of the output.
  void note() {
    const char now = is_timer ? 't' : !drives ? 'z' : latch ? 'H' : 'L';
    if (trace.empty() || trace.back() != now) trace += now;
  }
  [[nodiscard]] bool level() const {
    if (drives && !is_timer) return latch;
    return pull == 'u' ? true : pull == 'd' ? false : wire;
  }
};

struct Chip {
  Pin pins[256];
  std::uint32_t now_us = 0;
  int analog = 0;         // what a conversion counts, in 12 bits
  int analog_bits = 10;   // of analogRead()
  int analog_setups = 0;  // of an analog input
  std::string errors;     // what the core logs

  void error(const std::string& text, int pin) { errors += text + " " + std::to_string(pin) + "\n"; }
};
inline Chip chip;

}  // namespace fake
