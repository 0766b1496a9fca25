// SPDX-License-Identifier: Apache-2.0
// The GPIO pins. Knows no peripheral that uses one.
#include "mcp/ports/lm3s6965evb.hpp"
#include "ports/boards/lm3s6965evb/lm3s6965_registers.hpp"

namespace board {
namespace {

// A pin whose port has a clock.
class Pin {
 public:
  explicit Pin(std::uint8_t number) : bit_(bit(number % 8)) {
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

  [[nodiscard]] bool is_high() const { return reg(gpio_data(port_, bit_)) != 0; }
  void drive(bool high) const { reg(gpio_data(port_, bit_)) = high ? bit_ : 0; }

 private:
  std::uint32_t port_;
  std::uint32_t bit_;
};

bool has_pin(std::uint8_t number) {
  constexpr std::uint8_t pins_of_port[] = {8, 8, 8, 8, 4, 4, 2};
  return number / 8 < sizeof pins_of_port && number % 8 < pins_of_port[number / 8];
}

mcp::PinError check(std::uint8_t number) {
  if (!has_pin(number)) return mcp::PinError::no_pin;
  return Pin(number).is_set(gpio_afsel) ? mcp::PinError::busy : mcp::PinError::none;
}

class ChipPins final : public mcp::Pins {
 private:
  mcp::PinError do_input(std::uint8_t number, mcp::PinPull pull) override {
    const mcp::PinError error = check(number);
    if (error != mcp::PinError::none) return error;
    const Pin pin(number);
    pin.set(gpio_dir, false);
    pin.set(gpio_pdr, pull == mcp::PinPull::down);
    pin.set(gpio_pur, pull == mcp::PinPull::up);
    pin.set(gpio_den, true);
    return mcp::PinError::none;
  }

  mcp::PinError do_output(std::uint8_t number, bool high) override {
    const mcp::PinError error = check(number);
    if (error != mcp::PinError::none) return error;
    const Pin pin(number);
    if (!pin.is_set(gpio_dir)) {
      // The level of an input cannot be written, so the pin is off until it has its level.
      pin.set(gpio_den, false);
      pin.set(gpio_dir, true);
    }
    pin.drive(high);
    pin.set(gpio_den, true);
    return mcp::PinError::none;
  }

  mcp::PinError do_level(std::uint8_t number, bool& high) override {
    const mcp::PinError error = check(number);
    if (error != mcp::PinError::none) return error;
    const Pin pin(number);
    if (!pin.is_set(gpio_den)) return mcp::PinError::failed;
    high = pin.is_high();
    return mcp::PinError::none;
  }
};

// Its functions change registers alone, so it takes no RAM.
constexpr ChipPins the_pins;

}  // namespace

mcp::Pins& pins() { return const_cast<ChipPins&>(the_pins); }  // NOLINT(cppcoreguidelines-pro-type-const-cast)

}  // namespace board
