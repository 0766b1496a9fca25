// SPDX-License-Identifier: Apache-2.0
// The pins of the chip, for the files that implement them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/ports/lm3s6965evb.hpp"
#include "ports/boards/lm3s6965evb/lm3s6965_registers.hpp"

namespace board {

/// A GPIO pin whose port has a clock.
class GpioPin {
 public:
  explicit GpioPin(std::uint8_t number) : bit_(bit(number % 8)) {
    const std::uint32_t port = number / 8;
    // "General-Purpose Input/Outputs": the ports A to D, then E to G.
    port_ = port < 4 ? gpio_a + port * 0x1000 : 0x4002'4000 + (port - 4) * 0x1000;
    clock_on(sysctl_rcgc2, bit(port));
  }

  [[nodiscard]] bool is_set(std::uint32_t offset) const { return (reg(port_ + offset) & bit_) != 0; }
  void set(std::uint32_t offset, bool value) const {
    if (value) {
      reg(port_ + offset) |= bit_;
    } else {
      reg(port_ + offset) &= ~bit_;
    }
  }
  /// Clears its edges.
  void clear_interrupt() const { reg(port_ + gpio_icr) = bit_; }

  [[nodiscard]] bool is_high() const { return reg(gpio_data(port_, bit_)) != 0; }
  void drive(bool high) const { reg(gpio_data(port_, bit_)) = high ? bit_ : 0; }

 private:
  std::uint32_t port_;
  std::uint32_t bit_;
};

/// Returns `no_pin`, or `busy` if the alternate function of the pin is on, or `none`.
mcp::PinError check_pin(std::uint8_t number);

/// Inputs and outputs, as in mcp::Pins. They change registers alone.
mcp::PinError make_input(std::uint8_t number, mcp::PinPull pull);
mcp::PinError make_output(std::uint8_t number, bool high);
mcp::PinError read_level(std::uint8_t number, bool& high);

/// All functions. Their state is in the files that implement them.
class ChipPins final : public mcp::Pins {
 private:
  mcp::PinError do_input(std::uint8_t number, mcp::PinPull pull) override;
  mcp::PinError do_output(std::uint8_t number, bool high) override;
  mcp::PinError do_level(std::uint8_t number, bool& high) override { return read_level(number, high); }
  mcp::PinError do_millivolts(std::uint8_t input, unsigned samples, std::int32_t& out) override;
  mcp::PinError do_pwm(std::uint8_t number, std::uint32_t period_ns, std::uint32_t high_ns,
                       std::uint32_t& actual_period_ns) override;
  mcp::PinError do_begin_capture(std::uint8_t number, mcp::PinEdges edges, std::span<std::uint32_t> times_us) override;
  Capture do_captured() override;
  void do_end_capture() override;
};

/// Ends the pulses of the pin. Without pulses it does nothing.
void end_pulses(std::uint8_t number);
/// Returns whether a capture of the pin is running.
bool is_captured(std::uint8_t number);
/// Returns the address of a timer without pulses, which is off and has a clock. It counts once, without an interrupt.
/// Returns 0 if all timers make pulses.
std::uint32_t free_timer();

}  // namespace board
