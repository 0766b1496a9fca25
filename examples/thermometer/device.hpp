// SPDX-License-Identifier: Apache-2.0
// The functions that the thermometer needs from its platform. Each platform has a file: device_posix.cpp,
// device_lm3s6965evb.cpp.
#pragma once

#include <cstdint>
#include <string_view>

#include "mcp/port.hpp"

namespace device {

/// The name of the platform, for device://info.
extern const std::string_view hardware;

/// Milliseconds since some moment.
mcp::Millis now();

/// A number that differs after each reset; 0 on a PC, whose program a client starts itself.
std::uint32_t boot_id();

/// Reads the sensor, in thousandths of a degree Celsius. False when it does not answer.
[[nodiscard]] bool read_millidegrees(std::int32_t& value);

/// Switches the LED.
void led(bool on);

}  // namespace device
