// SPDX-License-Identifier: Apache-2.0
// The BBC micro:bit for the thermometer: the temperature of the chip, and the LED in the corner.
#include <mcp/ports/microbit.hpp>

#include "device.hpp"

namespace device {

const std::string_view hardware = "micro:bit";

mcp::Millis now() { return board::millis(); }
std::uint32_t boot_id() { return board::boot_id(); }
bool read_millidegrees(std::int32_t& value) { return board::read_millidegrees(value); }
void led(bool on) { board::led(on); }

}  // namespace device
