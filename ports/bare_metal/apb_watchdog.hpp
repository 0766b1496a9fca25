// SPDX-License-Identifier: Apache-2.0
// The watchdog timer of Arm's peripherals (CMSDK), which Stellaris processors have, too. It interrupts when it has
// counted to zero for the first time, and resets the board the second time. Its registers are locked between two
// feedings, so that a wild pointer does not feed it. For ports only.
#pragma once

#include "mcp/ports/processor.hpp"

namespace board {

/// The timer whose registers are at `address`. Source: "Cortex-M System Design Kit", watchdog timer.
class ApbWatchdog {
 public:
  constexpr explicit ApbWatchdog(std::uint32_t address) : address_(address) {}

  /// Starts the timer, with `ticks` to the interrupt and as many from there to the reset.
  void begin(std::uint32_t ticks) const {
    reg(address_ + lock) = unlock;
    reg(address_ + load) = ticks;
    reg(address_ + control) = control_interrupt | control_reset;
    reg(address_ + lock) = 0;
  }

  void feed() const {
    reg(address_ + lock) = unlock;
    reg(address_ + clear) = 0;
    reg(address_ + lock) = 0;
  }

 private:
  static constexpr std::uint32_t load = 0x000;
  static constexpr std::uint32_t control = 0x008;
  static constexpr std::uint32_t clear = 0x00C;
  static constexpr std::uint32_t lock = 0xC00;
  static constexpr std::uint32_t control_interrupt = bit(0);
  static constexpr std::uint32_t control_reset = bit(1);
  static constexpr std::uint32_t unlock = 0x1ACC'E551;

  std::uint32_t address_;
};

}  // namespace board
