// SPDX-License-Identifier: Apache-2.0
// The pins of arduino-pico 6.0.0: cores/rp2040/wiring_digital.cpp, wiring_analog.cpp and wiring_private.cpp, with the
// types of ArduinoCore-API 1.5.2. Its bad habits: pinMode(OUTPUT) drives low first, and analogRead() sets an input up
// only once after a pinMode().
#pragma once

#include <hardware/gpio.h>

#include <cstdint>

#include "ports/arduino/pins/fake_chip.hpp"

#define ARDUINO_API_VERSION 10502
#define __GPIOCNT 30
#define __FIRSTANALOGGPIO 26
#define A0 26
#define digitalPinToInterrupt(pin) (pin)
#define min(a, b) ((a) < (b) ? (a) : (b))

typedef std::uint8_t pin_size_t;
typedef void (*voidFuncPtr)(void);
typedef enum { LOW = 0, HIGH = 1, CHANGE = 2, FALLING = 3, RISING = 4 } PinStatus;
typedef enum { INPUT = 0, OUTPUT = 1, INPUT_PULLUP = 2, INPUT_PULLDOWN = 3, OUTPUT_OPENDRAIN = 4 } PinMode;

inline PinMode modes[__GPIOCNT];
inline bool is_analog_set_up[__GPIOCNT];

inline void pinMode(pin_size_t pin, PinMode mode) {
  if (pin >= __GPIOCNT) return;
  gpio_init(pin);
  fake::chip.pins[pin].pull = mode == INPUT_PULLUP ? 'u' : mode == INPUT_PULLDOWN ? 'd' : '-';
  if (mode == INPUT_PULLDOWN) gpio_put(pin, true);
  if (mode == OUTPUT) gpio_set_dir(pin, true);
  modes[pin] = mode;
  is_analog_set_up[pin] = false;
}
inline void digitalWrite(pin_size_t pin, PinStatus level) {
  if (pin >= __GPIOCNT) return;
  gpio_set_function(pin, GPIO_FUNC_SIO);
  if (modes[pin] == INPUT_PULLDOWN) {
    gpio_set_dir(pin, level != LOW);
  } else if (modes[pin] == INPUT_PULLUP) {
    gpio_set_dir(pin, level == LOW);
  } else {
    gpio_put(pin, level != LOW);
  }
}
inline PinStatus digitalRead(pin_size_t pin) { return pin < __GPIOCNT && fake::chip.pins[pin].level() ? HIGH : LOW; }
inline void analogReadResolution(int bits) { fake::chip.analog_bits = bits; }
inline int analogRead(pin_size_t pin) {
  if (pin < __FIRSTANALOGGPIO || pin > __GPIOCNT) return 0;
  if (!is_analog_set_up[pin]) {
    gpio_set_function(pin, GPIO_FUNC_NULL);
    ++fake::chip.analog_setups;
    is_analog_set_up[pin] = true;
  }
  const int bits = fake::chip.analog_bits;
  return bits < 12 ? fake::chip.analog >> (12 - bits) : fake::chip.analog << (bits - 12);
}
inline void attachInterrupt(pin_size_t pin, voidFuncPtr handler, PinStatus mode) {
  fake::chip.pins[pin].handler = handler;
  fake::chip.pins[pin].edges = mode;
}
inline void detachInterrupt(pin_size_t pin) { fake::chip.pins[pin].handler = nullptr; }
inline unsigned long micros() { return fake::chip.now_us; }

inline void reset_core() {
  for (PinMode& mode : modes) mode = INPUT;
  for (bool& is : is_analog_set_up) is = false;
}
