// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs of the GPIO ports. Knows no peripheral that uses a pin.
#include "ports/boards/lm3s6965evb/lm3s6965_pins.hpp"

namespace board {
namespace {

bool has_pin(std::uint8_t number) {
  constexpr std::uint8_t pins_of_port[] = {8, 8, 8, 8, 4, 4, 2};
  return number / 8 < sizeof pins_of_port && number % 8 < pins_of_port[number / 8];
}

class DigitalPins final : public mcp::Pins {
 private:
  mcp::PinError do_input(std::uint8_t number, mcp::PinPull pull) override { return make_input(number, pull); }
  mcp::PinError do_output(std::uint8_t number, bool high) override { return make_output(number, high); }
  mcp::PinError do_level(std::uint8_t number, bool& high) override { return read_level(number, high); }
};

// Its functions change registers alone, so it takes no RAM.
constexpr DigitalPins the_digital_pins;

}  // namespace

mcp::PinError check_pin(std::uint8_t number) {
  if (!has_pin(number)) return mcp::PinError::no_pin;
  return GpioPin(number).is_set(gpio_afsel) ? mcp::PinError::busy : mcp::PinError::none;
}

mcp::PinError make_input(std::uint8_t number, mcp::PinPull pull) {
  const mcp::PinError error = check_pin(number);
  if (error != mcp::PinError::none) return error;
  const GpioPin pin(number);
  pin.set(gpio_dir, false);
  pin.set(gpio_pdr, pull == mcp::PinPull::down);
  pin.set(gpio_pur, pull == mcp::PinPull::up);
  pin.set(gpio_den, true);
  return mcp::PinError::none;
}

mcp::PinError make_output(std::uint8_t number, bool high) {
  const mcp::PinError error = check_pin(number);
  if (error != mcp::PinError::none) return error;
  const GpioPin pin(number);
  if (!pin.is_set(gpio_dir)) {
    // The level of an input cannot be written, so the pin is off until it has its level.
    pin.set(gpio_den, false);
    pin.set(gpio_dir, true);
  }
  pin.drive(high);
  pin.set(gpio_den, true);
  return mcp::PinError::none;
}

mcp::PinError read_level(std::uint8_t number, bool& high) {
  const mcp::PinError error = check_pin(number);
  if (error != mcp::PinError::none) return error;
  const GpioPin pin(number);
  if (!pin.is_set(gpio_den)) return mcp::PinError::failed;
  high = pin.is_high();
  return mcp::PinError::none;
}

mcp::Pins& digital_pins() {
  return const_cast<DigitalPins&>(the_digital_pins);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

}  // namespace board
