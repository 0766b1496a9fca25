// SPDX-License-Identifier: Apache-2.0
// The emulated riscv32 `virt` for the thermometer: it has neither a sensor nor an LED, so calls that need the sensor
// return an error.
#include <mcp/ports/virt.hpp>

#include "device.hpp"

namespace device {

const std::string_view hardware = "riscv32 virt";

mcp::Millis now() { return board::millis(); }
std::uint32_t boot_id() { return board::boot_id(); }
bool read_millidegrees(std::int32_t&) { return false; }
void led(bool) {}

}  // namespace device
