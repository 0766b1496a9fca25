// SPDX-License-Identifier: Apache-2.0
// The Raspberry Pi Pico for the thermometer: the sensor in the chip, and the LED of the board.
#include <mcp/ports/pico.hpp>

#include "device.hpp"

namespace device {

#if PICO_RP2040
const std::string_view hardware = "Raspberry Pi Pico";
#else
const std::string_view hardware = "Raspberry Pi Pico 2";
#endif

mcp::Millis now() { return mcp::pico::millis(); }
std::uint32_t boot_id() { return mcp::pico::boot_id(); }

bool read_millidegrees(std::int32_t& value) {
  value = mcp::pico::chip_millidegrees();
  return true;
}

void led(bool on) { static_cast<void>(mcp::pico::led(on)); }

}  // namespace device
