// SPDX-License-Identifier: Apache-2.0
// The sensor in the chip, and the LED of the board.
#include "device.hpp"

#include <mcp/ports/pico.hpp>

bool read_celsius(float& celsius) {
  celsius = static_cast<float>(mcp::pico::chip_millidegrees()) / 1000;
  return true;
}

void set_led(bool on) { static_cast<void>(mcp::pico::led(on)); }

std::uint32_t boot_id() { return mcp::pico::boot_id(); }
