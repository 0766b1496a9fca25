// SPDX-License-Identifier: Apache-2.0
// All functions of the pins together: an input or output has no pulses and no capture.
#include "ports/boards/lm3s6965evb/lm3s6965_pins.hpp"

namespace board {
namespace {

// Its state is in other files, so it takes no RAM.
constexpr ChipPins the_pins;

}  // namespace

mcp::PinError ChipPins::do_input(std::uint8_t number, mcp::PinPull pull) {
  end_pulses(number);
  if (is_captured(number)) end_capture();
  return make_input(number, pull);
}

mcp::PinError ChipPins::do_output(std::uint8_t number, bool high) {
  end_pulses(number);
  if (is_captured(number)) end_capture();
  return make_output(number, high);
}

mcp::Pins& pins() { return const_cast<ChipPins&>(the_pins); }  // NOLINT(cppcoreguidelines-pro-type-const-cast)

}  // namespace board
