// SPDX-License-Identifier: Apache-2.0
// Sensors on I2C buses that no driver of the kernel uses, with the drivers of mote.
#pragma once

#include <mcp/devices/sensor_rows.hpp>
#include <mcp/found.hpp>
#include <mcp/port.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace drivers {

inline constexpr std::size_t most_sensors = 16;
inline constexpr std::size_t most_buses = 4;
inline constexpr const char* types = "lm75, lm75b, tmp102, tmp105, bme280, bmp280, sht4x";

// Adds a sensor, such as "lm75@/dev/i2c-1:0x48". `text` lives as long as the program. Returns the error, or nullptr.
const char* add(char* text);

// Measures what is due. Returns after how many milliseconds to call it again.
mcp::Millis poll();

// A sensor and its name, such as "i2c/lm75/i2c-1/0x48"; nullptr if there is none with this number.
const mcp::MeasuredSensor* sensor(std::size_t number);
std::string_view name(std::size_t number);

}  // namespace drivers
