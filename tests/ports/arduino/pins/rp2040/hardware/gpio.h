// SPDX-License-Identifier: Apache-2.0
// As src/rp2_common/hardware_gpio of the pico-sdk 2.2.0: gpio_init() makes an input and clears its latch, also of a pin
// that is an output.
#pragma once

#include "ports/arduino/pins/fake_chip.hpp"

typedef unsigned int uint;
enum gpio_function_t { GPIO_FUNC_PWM = 4, GPIO_FUNC_SIO = 5, GPIO_FUNC_NULL = 31 };

inline void gpio_put(uint pin, bool high) {
  fake::chip.pins[pin].latch = high;
  fake::chip.pins[pin].note();
}
inline void gpio_set_dir(uint pin, bool out) {
  fake::chip.pins[pin].drives = out;
  fake::chip.pins[pin].note();
}
inline void gpio_set_function(uint pin, gpio_function_t function) {
  fake::chip.pins[pin].is_timer = function == GPIO_FUNC_PWM;
  fake::chip.pins[pin].note();
}
inline void gpio_init(uint pin) {
  gpio_set_dir(pin, false);
  gpio_put(pin, false);
  gpio_set_function(pin, GPIO_FUNC_SIO);
}
