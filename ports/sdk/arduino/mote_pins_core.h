// SPDX-License-Identifier: Apache-2.0
// How the cores of Arduino differ in their pins, for <mote_pins.h>. Private. The functions were written from the
// sources of arduino-pico 6.0.0, arduino-esp32 3.3, stm32duino 3.0-dev and Teensyduino 1.62 (Teensy 4). For another
// core there are no pulses, and all pin numbers below 256.
#pragma once

#include <Arduino.h>

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <mcp/ports/pins.hpp>

#if defined(ARDUINO_ARCH_RP2040) && defined(__GPIOCNT)
#include <hardware/clocks.h>
#include <hardware/gpio.h>
#include <hardware/pwm.h>
#define MOTE_PINS_RP2040
#elif defined(ARDUINO_ARCH_ESP32)
#define MOTE_PINS_ESP32
#elif defined(ARDUINO_ARCH_STM32)
#define MOTE_PINS_STM32
#elif defined(TEENSYDUINO) && defined(__IMXRT1062__)
#define MOTE_PINS_TEENSY4
#endif

namespace mcp::arduino::detail {

/// Pulses that a pin makes.
struct Pulses {
  std::uint32_t period_ns;
  std::uint32_t high_ns;
  std::uint8_t pin;
};

constexpr std::uint64_t divide(std::uint64_t dividend, std::uint64_t divisor) {
  return (dividend + divisor / 2) / divisor;
}

constexpr std::uint64_t ns_per_s = 1'000'000'000;

/// The part of the period that is high, in `steps`.
constexpr std::uint32_t steps_high(const Pulses& pulses, std::uint32_t steps) {
  return static_cast<std::uint32_t>(divide(std::uint64_t{pulses.high_ns} * steps, pulses.period_ns));
}

inline void write_pin(std::uint8_t pin, bool high) { digitalWrite(pin, high ? HIGH : LOW); }

// ---- Which pins there are -------------------------------------------------------------------------------------------

#if defined(MOTE_PINS_RP2040)
inline constexpr std::size_t pin_numbers = __GPIOCNT;
inline bool has_pin(std::uint8_t pin) { return pin < pin_numbers; }
#elif defined(MOTE_PINS_ESP32)
inline constexpr std::size_t pin_numbers = SOC_GPIO_PIN_COUNT;
inline bool has_pin(std::uint8_t pin) { return pin < pin_numbers && digitalPinIsValid(pin); }
#elif defined(MOTE_PINS_STM32)
inline constexpr std::size_t pin_numbers = 256;  // analog inputs have numbers above those of the digital ones
inline bool has_pin(std::uint8_t pin) { return digitalPinIsValid(pin); }
#elif defined(NUM_DIGITAL_PINS)
inline constexpr std::size_t pin_numbers = NUM_DIGITAL_PINS;
inline bool has_pin(std::uint8_t pin) { return pin < pin_numbers; }
#else
inline constexpr std::size_t pin_numbers = 256;
inline bool has_pin(std::uint8_t) { return true; }
#endif

/// Whether the pin has an output and pulls.
inline bool can_drive([[maybe_unused]] std::uint8_t pin) {
#ifdef MOTE_PINS_ESP32
  return digitalPinCanOutput(pin);
#else
  return true;
#endif
}

// In cores with the common API of Arduino, the modes are names of an enumeration, not macros.
#if defined(INPUT_PULLDOWN) || defined(ARDUINO_API_VERSION)
inline constexpr bool has_pull_down = true;
inline void make_input(std::uint8_t pin, PinPull pull) {
  pinMode(pin, pull == PinPull::none ? INPUT : pull == PinPull::up ? INPUT_PULLUP : INPUT_PULLDOWN);
}
#else
inline constexpr bool has_pull_down = false;
inline void make_input(std::uint8_t pin, PinPull pull) { pinMode(pin, pull == PinPull::none ? INPUT : INPUT_PULLUP); }
#endif

/// Makes an output that has its level before it drives the pin.
inline void make_output(std::uint8_t pin, bool high) {
#if defined(MOTE_PINS_RP2040)
  // pinMode(OUTPUT) drives the pin low before digitalWrite() can set it high.
  pinMode(pin, INPUT);
  gpio_put(pin, high);
  gpio_set_dir(pin, true);
#elif defined(TEENSYDUINO)
  // digitalWrite() for an input sets its pull.
  *(high ? portSetRegister(pin) : portClearRegister(pin)) = digitalPinToBitMask(pin);
  pinMode(pin, OUTPUT);
#else
  // Without the first line, ESP32 ignores the level, and STM32, too, if no pin of the port was used before.
  pinMode(pin, INPUT);
  write_pin(pin, high);
  pinMode(pin, OUTPUT);
  write_pin(pin, high);  // for cores where it had no effect before
#endif
}

// ---- Voltages -------------------------------------------------------------------------------------------------------

/// Returns the pin of an analog input, or a negative number.
inline int analog_pin(std::uint8_t input) {
#if defined(MOTE_PINS_RP2040)
  return has_pin(input) && input >= __FIRSTANALOGGPIO ? input : -1;
#elif defined(MOTE_PINS_ESP32)
  return has_pin(input) && digitalPinToAnalogChannel(input) >= 0 ? input : -1;
#elif defined(analogInputToDigitalPin)
  const auto pin = static_cast<int>(analogInputToDigitalPin(input));
  return pin >= 0 && pin < 256 ? pin : -1;
#else
  return input;
#endif
}

/// Returns the sum of `samples` voltages in millivolts.
inline std::uint32_t sum_voltages(std::uint8_t input, unsigned samples, [[maybe_unused]] std::uint16_t reference_mv) {
  std::uint64_t sum = 0;
#ifdef MOTE_PINS_ESP32
  for (unsigned i = 0; i < samples; ++i) sum += analogReadMilliVolts(input);
  return static_cast<std::uint32_t>(sum);
#else
  constexpr int bits = 12;  // the only number that all these cores have
  analogReadResolution(bits);
  for (unsigned i = 0; i < samples; ++i) sum += static_cast<std::uint64_t>(analogRead(input));
  return static_cast<std::uint32_t>((sum * reference_mv) >> bits);
#endif
}

// ---- Pulses ---------------------------------------------------------------------------------------------------------

#if defined(MOTE_PINS_RP2040)

inline bool has_pulses(std::uint8_t) { return true; }
inline bool share_timer(std::uint8_t one, std::uint8_t other) {
  return pwm_gpio_to_slice_num(one) == pwm_gpio_to_slice_num(other);
}
inline bool share_output(std::uint8_t one, std::uint8_t other) {
  return share_timer(one, other) && pwm_gpio_to_channel(one) == pwm_gpio_to_channel(other);
}
inline constexpr bool input_ends_timer = false;

// The hardware is used directly, because analogWriteFreq() has at least 100 Hz, and one frequency for all pins. The
// divisor has 16ths. The counter has one step less than it could, because a level of 100 % is one step more.
inline PinError set_pulses(const Pulses& pulses, bool is_new_period, bool is_timer_new, std::uint32_t& actual_ns) {
  constexpr std::uint64_t most_steps = 0xFFFF;
  const std::uint64_t clock = clock_get_hz(clk_sys);
  const std::uint64_t sixteenths = divide(clock * pulses.period_ns, ns_per_s / 16);
  std::uint64_t divisor = (sixteenths + most_steps - 1) / most_steps;
  if (divisor < 16) divisor = 16;
  const auto steps = static_cast<std::uint32_t>(divide(sixteenths, divisor));
  if (divisor > 0xFFF || steps < 2) return PinError::out_of_range;
  if (is_timer_new) {
    pwm_config config = pwm_get_default_config();
    pwm_config_set_clkdiv_int_frac(&config, static_cast<std::uint8_t>(divisor >> 4),
                                   static_cast<std::uint8_t>(divisor & 15));
    pwm_config_set_wrap(&config, static_cast<std::uint16_t>(steps - 1));
    pwm_init(pwm_gpio_to_slice_num(pulses.pin), &config, true);
  }
  pwm_set_gpio_level(pulses.pin, static_cast<std::uint16_t>(steps_high(pulses, steps)));
  if (is_new_period) gpio_set_function(pulses.pin, GPIO_FUNC_PWM);
  actual_ns = static_cast<std::uint32_t>(divide(steps * divisor * ns_per_s, clock * 16));
  return PinError::none;
}

#elif defined(MOTE_PINS_ESP32)

inline bool has_pulses(std::uint8_t) { return true; }
// The core gives each frequency a timer of its own.
inline bool share_timer(std::uint8_t, std::uint8_t) { return false; }
inline bool share_output(std::uint8_t, std::uint8_t) { return false; }
inline constexpr bool input_ends_timer = false;

struct Ledc {
  constexpr explicit Ledc(std::uint32_t period_ns) : hertz(static_cast<std::uint32_t>(divide(ns_per_s, period_ns))) {
    while (bits > 1 && std::uint64_t{hertz} << bits > clock) --bits;
  }
  [[nodiscard]] constexpr bool is_possible() const { return hertz >= 3 && std::uint64_t{hertz} << bits <= clock; }
  // Whether a pin has this frequency. ledcReadFreq() reports whole hertz, and nothing while the pin stays low.
  [[nodiscard]] constexpr bool is(std::uint32_t read) const {
    const std::uint32_t difference = read > hertz ? read - hertz : hertz - read;
    return read == 0 || difference <= hertz / 32 + 1;
  }
  static constexpr std::uint64_t clock = 32'000'000;  // the slowest one of all these chips
  std::uint32_t hertz;
  std::uint8_t bits = 14;
};

inline PinError set_pulses(const Pulses& pulses, bool is_new_period, bool, std::uint32_t& actual_ns) {
  const Ledc ledc(pulses.period_ns);
  if (!ledc.is_possible()) return PinError::out_of_range;
  if (is_new_period) {
    // A change of the frequency would also change other pins with the same timer.
    if (ledcWrite(pulses.pin, 0)) ledcDetach(pulses.pin);
    if (!ledcAttach(pulses.pin, ledc.hertz, ledc.bits)) return PinError::busy;
  }
  const std::uint32_t all = std::uint32_t{1} << ledc.bits;
  std::uint32_t high = steps_high(pulses, all);
  // The core takes one step less than all as all.
  if (high == all - 1 && ledc.bits > 1) --high;
  if (!ledcWrite(pulses.pin, high)) return PinError::failed;
  const std::uint32_t read = ledcReadFreq(pulses.pin);
  actual_ns = static_cast<std::uint32_t>(divide(ns_per_s, read == 0 ? ledc.hertz : read));
  return PinError::none;
}

// Earlier versions of core 3 give each pair of channels a timer. Then ledcAttach() of the second channel changes the
// frequency of the first one. Returns false if a pin with pulses had this, after it has its frequency again.
inline bool keeps_period(const Pulses& other, std::uint8_t new_pin) {
  const Ledc ledc(other.period_ns);
  if (ledc.is(ledcReadFreq(other.pin))) return true;
  ledcDetach(new_pin);
  ledcChangeFrequency(other.pin, ledc.hertz, ledc.bits);
  return false;
}
#define MOTE_PINS_SHARE_UNSEEN

#elif defined(MOTE_PINS_STM32) && defined(HAL_TIM_MODULE_ENABLED) && !defined(HAL_TIM_MODULE_ONLY)

inline TIM_TypeDef* timer_of(std::uint8_t pin) {
  return static_cast<TIM_TypeDef*>(pinmap_peripheral(digitalPinToPinName(pin), PinMap_TIM));
}
inline bool has_pulses(std::uint8_t pin) {
#if defined(HAL_DAC_MODULE_ENABLED) && !defined(HAL_DAC_MODULE_ONLY)
  if (pin_in_pinmap(digitalPinToPinName(pin), PinMap_DAC)) return false;  // analogWrite() makes a voltage
#endif
  return pin_in_pinmap(digitalPinToPinName(pin), PinMap_TIM);
}
inline bool share_timer(std::uint8_t one, std::uint8_t other) { return timer_of(one) == timer_of(other); }
inline bool share_output(std::uint8_t, std::uint8_t) { return false; }
// pinMode() ends the timer of a pin with pulses, and so the pulses of other pins.
inline constexpr bool input_ends_timer = true;

inline PinError set_pulses(const Pulses& pulses, bool, bool, std::uint32_t& actual_ns) {
  const auto hertz = static_cast<std::uint32_t>(divide(ns_per_s, pulses.period_ns));
  if (hertz == 0 || hertz > 10'000'000) return PinError::out_of_range;
  analogWriteFrequency(hertz);
  analogWriteResolution(16);
  analogWrite(pulses.pin, static_cast<int>(steps_high(pulses, 0xFFFF)));
  const timerObj_t* const handle = HardwareTimer_Handle[get_timer_index(timer_of(pulses.pin))];
  if (handle == nullptr || handle->__this == nullptr) return PinError::failed;
  auto& timer = *static_cast<HardwareTimer*>(handle->__this);
  const std::uint64_t ticks = std::uint64_t{timer.getOverflow(TICK_FORMAT)} * timer.getPrescaleFactor();
  actual_ns = static_cast<std::uint32_t>(divide(ticks * ns_per_s, timer.getTimerClkFreq()));
  return PinError::none;
}

#elif defined(MOTE_PINS_TEENSY4)

inline bool has_pulses(std::uint8_t pin) { return digitalPinHasPWM(pin); }
// The core does not report which pins have the same timer.
inline bool share_timer(std::uint8_t, std::uint8_t) { return true; }
inline bool share_output(std::uint8_t, std::uint8_t) { return false; }
inline constexpr bool input_ends_timer = false;

inline PinError set_pulses(const Pulses& pulses, bool, bool, std::uint32_t& actual_ns) {
  // As the core: it halves the number of ticks until it fits, at most 7 times.
  const std::uint32_t clock = F_BUS_ACTUAL;
  const float hertz = 1e9F / static_cast<float>(pulses.period_ns);
  const auto ticks = static_cast<std::uint32_t>(static_cast<float>(clock) / hertz + 0.5F);
  unsigned shift = 0;
  while (ticks >> shift > 65'534 && shift < 7) ++shift;
  if (ticks < 2 || ticks >> shift > 65'534) return PinError::out_of_range;
  actual_ns = static_cast<std::uint32_t>(divide((std::uint64_t{ticks >> shift} << shift) * ns_per_s, clock));
  if (pulses.high_ns == 0 || pulses.high_ns == pulses.period_ns) {
    make_output(pulses.pin, pulses.high_ns != 0);  // analogWrite() has no 100 %
    return PinError::none;
  }
  analogWriteFrequency(pulses.pin, hertz);
  analogWriteResolution(16);
  analogWrite(pulses.pin, static_cast<int>(steps_high(pulses, 0xFFFF)));
  return PinError::none;
}

#else

inline bool has_pulses(std::uint8_t) { return false; }
inline bool share_timer(std::uint8_t, std::uint8_t) { return false; }
inline bool share_output(std::uint8_t, std::uint8_t) { return false; }
inline constexpr bool input_ends_timer = false;
inline PinError set_pulses(const Pulses&, bool, bool, std::uint32_t&) { return PinError::unsupported; }

#endif

#ifndef MOTE_PINS_SHARE_UNSEEN
inline bool keeps_period(const Pulses&, std::uint8_t) { return true; }
#endif

// ---- Edges ----------------------------------------------------------------------------------------------------------

using Handler = void (*)();

// The pin exists, so the macro does not return its negative number.
inline std::uint8_t interrupt_of(std::uint8_t pin) { return static_cast<std::uint8_t>(digitalPinToInterrupt(pin)); }

/// Returns false if the core cannot call a function in flash from an interrupt.
inline bool attach(std::uint8_t pin, PinEdges edges, Handler handler) {
#if defined(CONFIG_ARDUINO_ISR_IRAM) && CONFIG_ARDUINO_ISR_IRAM
  static_cast<void>(pin), static_cast<void>(edges), static_cast<void>(handler);
  return false;
#else
  const auto mode = edges == PinEdges::both ? CHANGE : edges == PinEdges::rising ? RISING : FALLING;
  attachInterrupt(interrupt_of(pin), handler, mode);
  return true;
#endif
}

inline void detach(std::uint8_t pin) { detachInterrupt(interrupt_of(pin)); }

}  // namespace mcp::arduino::detail

#include <mcp/detail/epilogue.hpp>
