// SPDX-License-Identifier: Apache-2.0
// A simulated device. Replace it with your sensor and your LED.
#include "device.hpp"

namespace {

bool is_led_on;

}  // namespace

// The LED warms the sensor.
bool read_celsius(float& celsius) {
  celsius = is_led_on ? 30.25F : 21.5F;
  return true;
}

void set_led(bool on) { is_led_on = on; }
