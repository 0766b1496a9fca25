// SPDX-License-Identifier: Apache-2.0
// The LM3S6965EVB for the thermometer: a TMP105 on the I2C bus, and the LED of the board.
#include <mcp/ports/lm3s6965evb.hpp>

#include "device.hpp"

namespace device {

const std::string_view hardware = "LM3S6965EVB";

mcp::Millis now() { return board::millis(); }
std::uint32_t boot_id() { return board::boot_id(); }
bool read_millidegrees(std::int32_t& value) { return board::read_millidegrees(value); }
void led(bool on) { board::led(on); }

}  // namespace device
