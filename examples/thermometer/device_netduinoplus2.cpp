// SPDX-License-Identifier: Apache-2.0
// The Netduino Plus 2 for the thermometer: the board has no sensor, so calls that need one return an error.
#include <mcp/ports/netduinoplus2.hpp>

#include "device.hpp"

namespace device {

const std::string_view hardware = "Netduino Plus 2";

mcp::Millis now() { return board::millis(); }
std::uint32_t boot_id() { return board::boot_id(); }
bool read_millidegrees(std::int32_t&) { return false; }
void led(bool on) { board::led(on); }

}  // namespace device
