// SPDX-License-Identifier: Apache-2.0
// The pins of stm32duino 3.0-dev: cores/arduino/wiring_digital.c, wiring_analog.c, WInterrupts.cpp, and pwm_start(),
// pwm_stop() and HardwareTimer of libraries/SrcWrapper, for a chip with 16 pins, TIM2 (pins 0 to 3), TIM3 (6, 7) and a
// DAC (pin 4). Its bad habits: digitalWrite() has no effect before a pinMode() of the port, pinMode() of a pin with
// pulses ends the timer of all its pins, and analogWrite() for a pin without a timer writes a level.
#pragma once

#include <cstdint>
#include <functional>

#include "ports/arduino/pins/fake_chip.hpp"

#define ARDUINO_API_VERSION 10502
#define HAL_TIM_MODULE_ENABLED
#define HAL_DAC_MODULE_ENABLED
#define NUM_DIGITAL_PINS 16
#define NUM_ANALOG_INPUTS 2
#define PNUM_ANALOG_BASE 0xC0
#define A0 0xC0
#define A1 0xC1

typedef std::uint32_t pin_size_t;
typedef void (*voidFuncPtr)(void);
using callback_function_t = std::function<void(void)>;
typedef enum { LOW = 0, HIGH = 1, CHANGE = 2, FALLING = 3, RISING = 4 } PinStatus;
typedef enum { INPUT = 0, OUTPUT = 1, INPUT_PULLUP = 2, INPUT_PULLDOWN = 3, OUTPUT_OPENDRAIN = 4 } PinMode;
enum PinName : std::uint32_t { PA_0 = 0, NC = 0xFFFFFFFF };
struct PinMap {
  char kind;
};
inline const PinMap PinMap_TIM[] = {{'t'}};
inline const PinMap PinMap_DAC[] = {{'d'}};

// Two analog inputs, A0 and A1, are the pins 8 and 9.
#define analogInputToDigitalPin(p)                                                                 \
  ((pin_size_t)(p) < NUM_ANALOG_INPUTS ? (pin_size_t)(p) + 8                                       \
   : (pin_size_t)(p) >= PNUM_ANALOG_BASE && (pin_size_t)(p) < PNUM_ANALOG_BASE + NUM_ANALOG_INPUTS \
       ? (pin_size_t)(p)-PNUM_ANALOG_BASE + 8                                                      \
       : (pin_size_t)NC)
#define digitalPinToPinName(p)                                                 \
  ((pin_size_t)(p) < NUM_DIGITAL_PINS    ? (PinName)(p)                        \
   : (pin_size_t)(p) >= PNUM_ANALOG_BASE ? (PinName)analogInputToDigitalPin(p) \
                                         : NC)
#define digitalPinIsValid(p) (digitalPinToPinName(p) != NC)
#define digitalPinToInterrupt(p) (digitalPinIsValid(p) ? p : (pin_size_t)NC)

struct TIM_TypeDef {
  int number;
};
inline TIM_TypeDef timers[] = {{2}, {3}};
typedef int timer_index_t;
struct timerObj_t {
  void* __this = nullptr;
};
enum TimerFormat_t { TICK_FORMAT, MICROSEC_FORMAT, HERTZ_FORMAT };

inline bool pin_in_pinmap(PinName pin, const PinMap* map) {
  return map->kind == 'd' ? pin == 4 : pin < 5 || pin == 6 || pin == 7;
}
inline void* pinmap_peripheral(PinName pin, const PinMap*) { return &timers[pin < 4 ? 0 : 1]; }
inline timer_index_t get_timer_index(TIM_TypeDef* timer) { return static_cast<timer_index_t>(timer - timers); }

class HardwareTimer {
 public:
  std::uint32_t getOverflow(TimerFormat_t) const { return ticks; }
  std::uint32_t getPrescaleFactor() const { return prescaler; }
  std::uint32_t getTimerClkFreq() const { return 84'000'000; }
  std::uint32_t ticks = 1, prescaler = 1;
  std::uint32_t compare[16] = {};  // by pin
};
inline HardwareTimer hardware_timers[2];
inline timerObj_t timer_objects[2];
inline timerObj_t* HardwareTimer_Handle[2];
inline std::uint32_t write_hertz = 1000;
inline int write_bits = 8;
inline bool is_output_configured[16];
inline bool has_clock;  // the port

inline void stop_timer(int index) {
  HardwareTimer_Handle[index] = nullptr;
  for (fake::Pin& pin : fake::chip.pins) {
    const auto number = static_cast<PinName>(&pin - fake::chip.pins);
    if (!pin.is_timer || pinmap_peripheral(number, PinMap_TIM) != &timers[index]) continue;
    pin.is_timer = false;
    pin.note();
  }
}

inline void pinMode(pin_size_t number, PinMode mode) {
  const PinName name = digitalPinToPinName(number);
  if (name == NC) return;
  fake::Pin& pin = fake::chip.pins[name];
  if (is_output_configured[name]) {
    stop_timer(get_timer_index(static_cast<TIM_TypeDef*>(pinmap_peripheral(name, PinMap_TIM))));
    is_output_configured[name] = false;
  }
  has_clock = true;
  pin.is_timer = false;
  pin.drives = mode == OUTPUT;
  pin.pull = mode == INPUT_PULLUP ? 'u' : mode == INPUT_PULLDOWN ? 'd' : '-';
  pin.note();
}
inline void digitalWrite(pin_size_t number, PinStatus level) {
  const PinName name = digitalPinToPinName(number);
  if (name == NC || !has_clock) return;
  fake::chip.pins[name].latch = level != LOW;
  fake::chip.pins[name].note();
}
inline PinStatus digitalRead(pin_size_t number) {
  const PinName name = digitalPinToPinName(number);
  return name != NC && fake::chip.pins[name].level() ? HIGH : LOW;
}
inline void analogReadResolution(int bits) { fake::chip.analog_bits = bits; }
inline int analogRead(pin_size_t input) {
  if (analogInputToDigitalPin(input) == NC) return 0;
  ++fake::chip.analog_setups;
  return fake::chip.analog >> (12 - fake::chip.analog_bits);
}
inline void analogWriteFrequency(std::uint32_t hertz) { write_hertz = hertz; }
inline void analogWriteResolution(int bits) { write_bits = bits; }
inline void analogWrite(pin_size_t number, int value) {
  const PinName name = digitalPinToPinName(number);
  if (name == NC) return;
  fake::Pin& pin = fake::chip.pins[name];
  if (!pin_in_pinmap(name, PinMap_TIM)) return fake::chip.error("writes a level", static_cast<int>(name));
  is_output_configured[name] = true;
  const int index = get_timer_index(static_cast<TIM_TypeDef*>(pinmap_peripheral(name, PinMap_TIM)));
  HardwareTimer& timer = hardware_timers[index];
  timer_objects[index].__this = &timer;
  HardwareTimer_Handle[index] = &timer_objects[index];
  const std::uint32_t cycles = timer.getTimerClkFreq() / write_hertz;
  timer.prescaler = cycles / 0x10000 + 1;
  timer.ticks = cycles / timer.prescaler;
  timer.compare[name] =
      static_cast<std::uint32_t>(std::uint64_t{timer.ticks} * static_cast<unsigned>(value) / ((1U << write_bits) - 1));
  pin.is_timer = true;
  pin.note();
}
inline void attachInterrupt(pin_size_t number, voidFuncPtr handler, PinStatus mode) {
  fake::Pin& pin = fake::chip.pins[digitalPinToPinName(number)];
  pin.handler = handler;
  pin.edges = mode;
}
inline void attachInterrupt(pin_size_t, callback_function_t, PinStatus) {
  fake::chip.error("a function on the heap", 0);
}
inline void detachInterrupt(pin_size_t number) { fake::chip.pins[digitalPinToPinName(number)].handler = nullptr; }
inline unsigned long micros() { return fake::chip.now_us; }

inline void reset_core() {
  for (timerObj_t*& handle : HardwareTimer_Handle) handle = nullptr;
  for (bool& is : is_output_configured) is = false;
  has_clock = false;
}
