// SPDX-License-Identifier: Apache-2.0
// A board of Zephyr for the thermometer, with a simulated sensor.
#include "device.hpp"

#include "system.hpp"

namespace device {

namespace {

bool is_led_on;

}  // namespace

const std::string_view hardware = system_of_device::board();

mcp::Millis now() { return system_of_device::millis(); }
std::uint32_t boot_id() { return system_of_device::boot_id(); }

// The LED warms the sensor.
bool read_millidegrees(std::int32_t& value) {
  value = is_led_on ? 30'250 : 21'500;
  return true;
}

void led(bool on) { is_led_on = on; }

}  // namespace device
