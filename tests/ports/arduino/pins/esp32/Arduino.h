// SPDX-License-Identifier: Apache-2.0
// The pins of arduino-esp32 3: cores/esp32/esp32-hal-gpio.c, esp32-hal-adc.c (analogReadMilliVolts) and
// esp32-hal-ledc.c, for an ESP32. Its bad habits: digitalWrite() and digitalRead() do nothing for a pin without
// pinMode(), analogReadMilliVolts() reads any channel for a pin that has none, one step less than all of a period is
// all, ledcReadFreq() reports 0 Hz while a pin stays low, and in earlier versions two channels share a timer, whose
// frequency is that of the last ledcAttach().
#pragma once

#include <cstdint>

#include "ports/arduino/pins/fake_chip.hpp"

#define LOW 0x0
#define HIGH 0x1
#define INPUT 0x01
#define OUTPUT 0x03
#define PULLUP 0x04
#define INPUT_PULLUP 0x05
#define PULLDOWN 0x08
#define INPUT_PULLDOWN 0x09
#define RISING 0x01
#define FALLING 0x02
#define CHANGE 0x03
#define SOC_GPIO_PIN_COUNT 40
#define GPIO_IS_VALID_GPIO(pin) ((0xFF'0EFF'FFFFULL >> (pin)&1) != 0)
#define digitalPinIsValid(pin) GPIO_IS_VALID_GPIO(pin)
#define digitalPinCanOutput(pin) (GPIO_IS_VALID_GPIO(pin) && (pin) < 34)
#define digitalPinToInterrupt(p) ((p) < SOC_GPIO_PIN_COUNT ? (p) : -1)
#define A0 36

struct LedcTimer {
  std::uint32_t hertz = 0;
  std::uint8_t bits = 0;
  int users = 0;
};
struct LedcPin {
  LedcTimer* timer = nullptr;
  std::uint32_t duty = 0;
};
enum class Bus { none, gpio, adc, ledc };
inline Bus buses[SOC_GPIO_PIN_COUNT];
inline LedcTimer ledc_timers[4];
inline LedcPin ledc_pins[SOC_GPIO_PIN_COUNT];
inline int ledc_attaches = 0;
inline bool share_channels_a_timer = false;  // as in earlier versions
inline std::uint32_t ledc_error_ppm = 0;     // of the real frequency

inline void clear_bus(std::uint8_t pin) {
  if (buses[pin] == Bus::ledc) {
    --ledc_pins[pin].timer->users;
    ledc_pins[pin] = {};
    fake::chip.pins[pin].is_timer = false;
    fake::chip.pins[pin].note();
  }
  buses[pin] = Bus::none;
}

inline void pinMode(std::uint8_t pin, std::uint8_t mode) {
  if (pin >= SOC_GPIO_PIN_COUNT) return fake::chip.error("Invalid IO", pin);
  if (buses[pin] != Bus::gpio) clear_bus(pin);
  fake::Pin& io = fake::chip.pins[pin];
  if ((mode & 2) != 0 && !digitalPinCanOutput(pin)) return fake::chip.error("config failed", pin);
  io.pull = (mode & PULLUP) != 0 ? 'u' : (mode & PULLDOWN) != 0 ? 'd' : '-';
  io.drives = (mode & 2) != 0;
  io.note();
  buses[pin] = Bus::gpio;
}
inline void digitalWrite(std::uint8_t pin, std::uint8_t level) {
  if (buses[pin] != Bus::gpio) return fake::chip.error("is not set as GPIO", pin);
  fake::chip.pins[pin].latch = level != 0;
  fake::chip.pins[pin].note();
}
inline int digitalRead(std::uint8_t pin) {
  if (buses[pin] == Bus::gpio) return fake::chip.pins[pin].level() ? 1 : 0;
  fake::chip.error("is not set as GPIO", pin);
  return 0;
}
inline std::int8_t digitalPinToAnalogChannel(std::uint8_t pin) {
  return pin >= 32 ? static_cast<std::int8_t>(pin - 32) : std::int8_t{-1};
}
inline std::uint32_t analogReadMilliVolts(std::uint8_t pin) {
  if (digitalPinToAnalogChannel(pin) < 0) fake::chip.error("any channel", pin);
  clear_bus(pin);
  buses[pin] = Bus::adc;
  return static_cast<std::uint32_t>(fake::chip.analog);
}

inline bool ledcWrite(std::uint8_t pin, std::uint32_t duty) {
  if (buses[pin] != Bus::ledc) return false;
  const std::uint32_t most = (1U << ledc_pins[pin].timer->bits) - 1;
  ledc_pins[pin].duty = duty == most && most != 1 ? most + 1 : duty;
  return true;
}
inline std::uint32_t ledcReadFreq(std::uint8_t pin) {
  if (buses[pin] != Bus::ledc || ledc_pins[pin].duty == 0) return 0;
  const std::uint64_t hertz = ledc_pins[pin].timer->hertz;
  return static_cast<std::uint32_t>(hertz + hertz * ledc_error_ppm / 1'000'000);
}
inline bool ledcDetach(std::uint8_t pin) {
  if (buses[pin] != Bus::ledc) return fake::chip.error("is not attached to LEDC", pin), false;
  clear_bus(pin);
  return true;
}
inline bool ledcAttach(std::uint8_t pin, std::uint32_t hertz, std::uint8_t bits) {
  if (buses[pin] == Bus::ledc) return fake::chip.error("is already attached to LEDC", pin), false;
  if (hertz == 0 || bits == 0 || bits > 20) return fake::chip.error("resolution", pin), false;
  LedcTimer* found = share_channels_a_timer && ledc_timers[0].users == 1 ? &ledc_timers[0] : nullptr;
  for (LedcTimer& timer : ledc_timers) {
    if (timer.users != 0 && timer.hertz == hertz && timer.bits == bits) found = &timer;
  }
  for (LedcTimer& timer : ledc_timers) {
    if (found == nullptr && timer.users == 0) found = &timer;
  }
  if (found == nullptr) return fake::chip.error("No free timers", pin), false;
  clear_bus(pin);
  *found = {hertz, bits, found->users + 1};
  ledc_pins[pin] = {found, 0};
  buses[pin] = Bus::ledc;
  ++ledc_attaches;
  fake::chip.pins[pin].is_timer = true;
  fake::chip.pins[pin].note();
  return true;
}

inline std::uint32_t ledcChangeFrequency(std::uint8_t pin, std::uint32_t hertz, std::uint8_t bits) {
  if (buses[pin] != Bus::ledc) return 0;
  ledc_pins[pin].timer->hertz = hertz;
  ledc_pins[pin].timer->bits = bits;
  return hertz;
}

inline void attachInterrupt(std::uint8_t pin, void (*handler)(), int mode) {
  fake::chip.pins[pin].handler = handler;
  fake::chip.pins[pin].edges = mode;
}
inline void detachInterrupt(std::uint8_t pin) { fake::chip.pins[pin].handler = nullptr; }
inline unsigned long micros() { return fake::chip.now_us; }

inline void reset_core() {
  for (Bus& bus : buses) bus = Bus::none;
  for (LedcTimer& timer : ledc_timers) timer = {};
  for (LedcPin& pin : ledc_pins) pin = {};
  ledc_attaches = 0;
  share_channels_a_timer = false;
  ledc_error_ppm = 0;
}
