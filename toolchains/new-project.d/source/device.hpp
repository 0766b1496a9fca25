// SPDX-License-Identifier: Apache-2.0
// What this device has. The server is built on these functions, and each platform defines them.
#pragma once

#include <cstdint>

// Measures the temperature, in degrees Celsius. Returns false if the sensor does not respond.
bool read_celsius(float& celsius);

void set_led(bool on);

// Returns a number that differs after each reset, so that clients detect a reset; 0 if there is no such number.
std::uint32_t boot_id();
