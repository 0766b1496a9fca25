// SPDX-License-Identifier: Apache-2.0
// The pins of Teensyduino 1.62 (Teensy 4.0): teensy4/digital.c, pwm.c, analog.c, interrupt.c and pins_arduino.h. Its
// bad habits: digitalWrite() for an input sets its pull, and not the level that it has as an output; analogWrite()
// takes 16 bits of its value, and has no 100 %; pins of one timer have one frequency, which the core does not report.
#pragma once

#include <cstdint>

#include "ports/arduino/pins/fake_chip.hpp"

#define HIGH 1
#define LOW 0
#define INPUT 0
#define OUTPUT 1
#define INPUT_PULLUP 2
#define INPUT_PULLDOWN 3
#define FALLING 2
#define RISING 3
#define CHANGE 4
#define NUM_DIGITAL_PINS 40
#define A0 14
#define analogInputToDigitalPin(p) (((p) <= 9) ? (p) + 14 : ((((p) >= 14 && (p) <= 27)) ? (p) : -1))
#define digitalPinHasPWM(p) ((p) <= 15 || (p) == 18 || (p) == 19 || ((p) >= 22 && (p) <= 25))
#define digitalPinToInterrupt(p) ((p) < NUM_DIGITAL_PINS ? (p) : -1)
#define digitalPinToBitMask(pin) (1U << ((pin)&31))
#define portSetRegister(pin) (fake_register(pin, true))
#define portClearRegister(pin) (fake_register(pin, false))
#define F_BUS_ACTUAL bus_clock

inline volatile std::uint32_t bus_clock = 150'000'000;

// GPIOn_DR_SET or GPIOn_DR_CLEAR.
struct FakeRegister {
  std::uint8_t pin;
  bool high;
  FakeRegister* operator=(std::uint32_t mask) {
    if (mask == digitalPinToBitMask(pin)) fake::chip.pins[pin].latch = high;
    fake::chip.pins[pin].note();
    return this;
  }
};
inline FakeRegister fake_registers[2];
inline FakeRegister* fake_register(std::uint8_t pin, bool high) {
  FakeRegister& found = fake_registers[high ? 1 : 0];
  found.pin = pin;
  found.high = high;
  return &found;
}

inline float write_hertz[NUM_DIGITAL_PINS];
inline std::uint16_t write_value[NUM_DIGITAL_PINS];
inline std::uint32_t write_bits = 8;

inline void pinMode(std::uint8_t pin, std::uint8_t mode) {
  if (pin >= NUM_DIGITAL_PINS) return;
  fake::Pin& io = fake::chip.pins[pin];
  io.drives = mode == OUTPUT;
  io.pull = mode == INPUT_PULLUP ? 'u' : mode == INPUT_PULLDOWN ? 'd' : '-';
  io.is_timer = false;
  io.note();
}
inline void digitalWrite(std::uint8_t pin, std::uint8_t level) {
  if (pin >= NUM_DIGITAL_PINS) return;
  fake::Pin& io = fake::chip.pins[pin];
  if (io.drives) {
    io.latch = level != 0;
  } else {
    io.pull = level != 0 ? 'u' : 'd';
  }
  io.note();
}
inline std::uint8_t digitalRead(std::uint8_t pin) {
  return pin < NUM_DIGITAL_PINS && fake::chip.pins[pin].level() ? 1 : 0;
}
inline void analogReadRes(unsigned bits) {
  fake::chip.analog_bits = bits == 8 || bits == 10 ? static_cast<int>(bits) : 12;
}
inline void analogReadResolution(unsigned bits) { analogReadRes(bits); }
inline int analogRead(std::uint8_t pin) {
  if (pin > 27) return 0;
  ++fake::chip.analog_setups;
  return fake::chip.analog >> (12 - fake::chip.analog_bits);
}
inline void analogWriteFrequency(std::uint8_t pin, float hertz) { write_hertz[pin] = hertz; }
inline std::uint32_t analogWriteRes(std::uint32_t bits) {
  const std::uint32_t before = write_bits;
  write_bits = bits < 1 ? 1 : bits > 16 ? 16 : bits;
  return before;
}
static inline std::uint32_t analogWriteResolution(std::uint32_t bits) { return analogWriteRes(bits); }
inline void analogWrite(std::uint8_t pin, int value) {
  if (!digitalPinHasPWM(pin)) return;
  write_value[pin] = static_cast<std::uint16_t>(value);
  fake::chip.pins[pin].is_timer = true;
  fake::chip.pins[pin].note();
}
inline void attachInterrupt(std::uint8_t pin, void (*handler)(), int mode) {
  fake::chip.pins[pin].handler = handler;
  fake::chip.pins[pin].edges = mode;
  fake::chip.pins[pin].drives = false;
}
inline void detachInterrupt(std::uint8_t pin) { fake::chip.pins[pin].handler = nullptr; }
inline unsigned long micros() { return fake::chip.now_us; }

inline void reset_core() { write_bits = 8; }
