// SPDX-License-Identifier: Apache-2.0
// The MPS2 AN385 for the thermometer: the board has no sensor, so calls that need one return an error.
#include <mcp/ports/mps2_an385.hpp>

#include "device.hpp"

namespace device {

const std::string_view hardware = "MPS2 AN385";

mcp::Millis now() { return board::millis(); }
std::uint32_t boot_id() { return board::boot_id(); }
bool read_millidegrees(std::int32_t&) { return false; }
void led(bool) {}

}  // namespace device
