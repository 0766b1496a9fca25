// SPDX-License-Identifier: Apache-2.0
// The pins, with hardware_gpio, hardware_adc and hardware_pwm.
#include "mcp/ports/pico_pins.hpp"

#include <algorithm>
#include <atomic>
#include <type_traits>

#include <hardware/adc.h>
#include <hardware/clocks.h>
#include <hardware/gpio.h>
#include <hardware/irq.h>
#include <hardware/pwm.h>
#include <pico/time.h>

namespace mcp::pico {
namespace {

constexpr std::uint32_t rise = GPIO_IRQ_EDGE_RISE;
constexpr std::uint32_t fall = GPIO_IRQ_EDGE_FALL;
constexpr std::uint8_t temperature_input = ADC_BASE_PIN + ADC_TEMPERATURE_CHANNEL_NUM;
constexpr std::uint32_t most_steps = 65'535;  // the compare value of an output that stays high, so not 65536
constexpr std::uint32_t most_divider = 255;
constexpr std::uint32_t most_cycles = most_steps * most_divider;  // of a period
constexpr std::uint32_t synchronizer_cycles = 8;                  // two, and the pad

using PinMask = std::conditional_t<(NUM_BANK0_GPIOS > 32), std::uint64_t, std::uint32_t>;

// The radio of Pico W is on these pins, also while it is off.
bool is_radio([[maybe_unused]] unsigned pin) {
#ifdef CYW43_DEFAULT_PIN_WL_CS
  return pin == CYW43_DEFAULT_PIN_WL_REG_ON || pin == CYW43_DEFAULT_PIN_WL_DATA_OUT ||
         pin == CYW43_DEFAULT_PIN_WL_CLOCK || pin == CYW43_DEFAULT_PIN_WL_CS;
#else
  return false;
#endif
}

bool has_interrupt(unsigned pin) {
  const auto& control = get_core_num() != 0 ? io_bank0_hw->proc1_irq_ctrl : io_bank0_hw->proc0_irq_ctrl;
  return (control.inte[pin / 8] >> (4 * (pin % 8)) & 0xF) != 0;
}

// A period as `steps` of the timer, each of `divider` clock cycles.
struct Period {
  std::uint32_t steps;
  std::uint32_t divider;
};

// The first divider that makes the period exact, among those that leave at least half of the steps.
Period period_of(std::uint32_t cycles) {
  const std::uint32_t first = (cycles + most_steps - 1) / most_steps;
  std::uint32_t divider = first;
  for (std::uint32_t i = first; i <= std::min(2 * first, most_divider); ++i) {
    if (cycles % i != 0) continue;
    divider = i;
    break;
  }
  return {(cycles + divider / 2) / divider, divider};
}

// Rounded. `factor` times `value` is below 2^63. A division of the compiler is a function of libgcc, which the pico-sdk
// keeps in RAM.
std::uint64_t scale(std::uint32_t value, std::uint32_t factor, std::uint32_t divisor) {
  std::uint64_t quotient = std::uint64_t{value} * factor + divisor / 2;
  std::uint64_t rest = 0;
  for (int bits = 64; bits > 0; --bits) {
    rest = rest << 1 | quotient >> 63;
    quotient <<= 1;
    if (rest < divisor) continue;
    rest -= divisor;
    quotient |= 1;
  }
  return quotient;
}

// Inputs and outputs.
class DigitalPins : public Pins {
 protected:
  [[nodiscard]] bool has_pulses(unsigned pin) const { return (pulsed_ >> pin & 1) != 0; }
  [[nodiscard]] PinError check(unsigned pin) const;

  PinMask pulsed_ = 0;  // pins with pulses of pwm()

 private:
  PinError do_input(std::uint8_t pin, PinPull pull) override;
  PinError do_output(std::uint8_t pin, bool high) override;
  PinError do_level(std::uint8_t pin, bool& high) override;
  // Ends what else the pin does, after its function has changed.
  virtual void release(unsigned) {}
};

// Returns `none` if the pin is unused, an input, an output, or has pulses of pwm().
PinError DigitalPins::check(unsigned pin) const {
  if (pin >= NUM_BANK0_GPIOS) return PinError::no_pin;
  if (is_radio(pin)) return PinError::busy;
  const gpio_function_t function = gpio_get_function(pin);
  return function == GPIO_FUNC_SIO || function == GPIO_FUNC_NULL || has_pulses(pin) ? PinError::none : PinError::busy;
}

PinError DigitalPins::do_input(std::uint8_t pin, PinPull pull) {
  const PinError error = check(pin);
  if (error != PinError::none) return error;
  gpio_set_pulls(pin, pull == PinPull::up, pull == PinPull::down);
  gpio_set_dir(pin, false);
  gpio_set_function(pin, GPIO_FUNC_SIO);
  release(pin);
  return PinError::none;
}

// The level comes before the direction, and both before the function.
PinError DigitalPins::do_output(std::uint8_t pin, bool high) {
  const PinError error = check(pin);
  if (error != PinError::none) return error;
  gpio_put(pin, high);
  gpio_set_dir(pin, true);
  gpio_set_function(pin, GPIO_FUNC_SIO);
  gpio_disable_pulls(pin);
  release(pin);
  busy_wait_at_least_cycles(synchronizer_cycles);  // level() then reads this level
  return PinError::none;
}

PinError DigitalPins::do_level(std::uint8_t pin, bool& high) {
  const PinError error = check(pin);
  if (error != PinError::none) return error;
  if (gpio_get_function(pin) != GPIO_FUNC_SIO) return PinError::failed;
  high = gpio_get(pin);
  return PinError::none;
}

// All functions.
class ChipPins final : public DigitalPins {
 public:
  void handle_edge();

 private:
  PinError do_millivolts(std::uint8_t input, unsigned samples, std::int32_t& out) override;
  PinError do_pwm(std::uint8_t pin, std::uint32_t period_ns, std::uint32_t high_ns,
                  std::uint32_t& actual_period_ns) override;
  PinError do_begin_capture(std::uint8_t pin, PinEdges edges, std::span<std::uint32_t> times_us) override;
  Capture do_captured() override;
  void do_end_capture() override;
  void release(unsigned pin) override;

  [[nodiscard]] bool is_captured(unsigned pin) const { return !times_us_.empty() && pin == captured_pin_; }
  [[nodiscard]] PinError find_timer(unsigned pin, Period period, bool& is_running) const;

  std::span<std::uint32_t> times_us_;
  std::atomic<std::size_t> count_ = 0;
  std::atomic<bool> has_lost_ = false;
  bool is_high_ = false;  // after the last edge
  PinEdges edges_ = PinEdges::both;
  std::uint8_t captured_pin_ = 0;
  std::uint32_t start_us_ = 0;
};

constinit DigitalPins the_digital_pins;
constinit ChipPins the_pins;

void handle_edge() { the_pins.handle_edge(); }

void ChipPins::release(unsigned pin) {
  if (is_captured(pin)) end_capture();
  if (!has_pulses(pin) || gpio_get_function(pin) == GPIO_FUNC_PWM) return;
  pulsed_ &= ~(PinMask{1} << pin);
  const unsigned slice = pwm_gpio_to_slice_num(pin);
  for (unsigned other = 0; other < NUM_BANK0_GPIOS; ++other) {
    if (pwm_gpio_to_slice_num(other) == slice && gpio_get_function(other) == GPIO_FUNC_PWM) return;
  }
  pwm_set_enabled(slice, false);
}

PinError ChipPins::do_millivolts(std::uint8_t input, unsigned samples, std::int32_t& out) {
  if (input != temperature_input) {
    const PinError error = check(input);
    if (error != PinError::none) return error;
    if (input < ADC_BASE_PIN) return PinError::unsupported;
    if (is_captured(input)) return PinError::busy;
    const bool is_output = gpio_get_function(input) == GPIO_FUNC_SIO && gpio_is_dir_out(input);
    if (is_output || has_pulses(input)) return PinError::failed;
  }
  if ((adc_hw->cs & ADC_CS_EN_BITS) == 0) adc_init();
  if ((adc_hw->cs & (ADC_CS_START_MANY_BITS | ADC_CS_RROBIN_BITS)) != 0) return PinError::busy;
  if (input == temperature_input) {
    adc_set_temp_sensor_enabled(true);
  } else {
    adc_gpio_init(input);
  }
  adc_select_input(input - ADC_BASE_PIN);
  std::uint32_t sum = 0;
  for (unsigned i = 0; i < samples; ++i) sum += adc_read();
  // 3300 mV are 4096 steps. The numerator is below 2^32.
  static_assert(std::uint64_t{most_samples} * (4'095 * 825 + 512) < std::uint64_t{1} << 32);
  out = static_cast<std::int32_t>((sum * 825 + samples * 512) / (samples * 1024));
  return PinError::none;
}

// Returns whether the timer of the pin is free, or `is_running` with this period for pwm() or the other pin of the
// timer.
PinError ChipPins::find_timer(unsigned pin, Period period, bool& is_running) const {
  const unsigned slice = pwm_gpio_to_slice_num(pin);
  const auto& timer = pwm_hw->slice[slice];
  is_running = has_pulses(pin);
  for (unsigned other = 0; other < NUM_BANK0_GPIOS; ++other) {
    if (other == pin || pwm_gpio_to_slice_num(other) != slice || gpio_get_function(other) != GPIO_FUNC_PWM) continue;
    const bool has_period = timer.csr == PWM_CH0_CSR_EN_BITS && timer.top == period.steps - 1 &&
                            timer.div == period.divider << PWM_CH0_DIV_INT_LSB;
    if (!has_period || pwm_gpio_to_channel(other) == pwm_gpio_to_channel(pin)) return PinError::busy;
    is_running = true;
  }
  // Without a pin, the application may count time with it.
  return !is_running && (timer.csr & PWM_CH0_CSR_EN_BITS) != 0 ? PinError::busy : PinError::none;
}

PinError ChipPins::do_pwm(std::uint8_t pin, std::uint32_t period_ns, std::uint32_t high_ns,
                          std::uint32_t& actual_period_ns) {
  const PinError error = check(pin);
  if (error != PinError::none) return error;
  const std::uint32_t hz = clock_get_hz(clk_sys);
  const std::uint64_t cycles = scale(period_ns, hz, 1'000'000'000);
  if (cycles < 2 || cycles > most_cycles) return PinError::out_of_range;
  const Period period = period_of(static_cast<std::uint32_t>(cycles));
  bool is_running = false;
  const PinError timer_error = find_timer(pin, period, is_running);
  if (timer_error != PinError::none) return timer_error;

  const unsigned slice = pwm_gpio_to_slice_num(pin);
  if (!is_running) {
    pwm_config config = pwm_get_default_config();
    pwm_init(slice, &config, false);
  }
  // A running timer takes the new steps at the end of its period.
  pwm_set_clkdiv_int_frac4(slice, static_cast<std::uint8_t>(period.divider), 0);
  pwm_set_wrap(slice, static_cast<std::uint16_t>(period.steps - 1));
  pwm_set_gpio_level(pin, static_cast<std::uint16_t>(scale(high_ns, period.steps, period_ns)));
  pwm_set_enabled(slice, true);
  gpio_set_function(pin, GPIO_FUNC_PWM);
  release(pin);
  pulsed_ |= PinMask{1} << pin;
  actual_period_ns = static_cast<std::uint32_t>(scale(period.steps * period.divider, 1'000'000'000, hz));
  return PinError::none;
}

// ---- Times of edges ------------------------------------------------------------------------------------------------

PinError ChipPins::do_begin_capture(std::uint8_t pin, PinEdges edges, std::span<std::uint32_t> times_us) {
  if (!times_us_.empty()) return PinError::busy;
  const PinError error = check(pin);
  if (error != PinError::none) return error;
  if (gpio_get_function(pin) != GPIO_FUNC_SIO || gpio_is_dir_out(pin)) return PinError::failed;
  // Assertions in the SDK: a second exclusive handler, or a second raw handler of the pin.
  if (irq_get_exclusive_handler(IO_IRQ_BANK0) != nullptr || has_interrupt(pin)) return PinError::busy;
  times_us_ = times_us;
  edges_ = edges;
  captured_pin_ = pin;
  count_.store(0, std::memory_order_relaxed);
  has_lost_.store(false, std::memory_order_relaxed);
  is_high_ = gpio_get(pin);
  const std::uint32_t events = (edges != PinEdges::falling ? rise : 0) | (edges != PinEdges::rising ? fall : 0);
  gpio_add_raw_irq_handler_with_order_priority(pin, pico::handle_edge, PICO_SHARED_IRQ_HANDLER_HIGHEST_ORDER_PRIORITY);
  start_us_ = time_us_32();
  gpio_set_irq_enabled(pin, events, true);
  irq_set_enabled(IO_IRQ_BANK0, true);
  return PinError::none;
}

// Two edges before this function runs set both events. Without one of two edges, both others are of one kind.
void ChipPins::handle_edge() {
  const std::uint32_t time_us = time_us_32() - start_us_;
  const std::uint32_t events = gpio_get_irq_event_mask(captured_pin_);
  if (events == 0) return;  // of another pin
  gpio_acknowledge_irq(captured_pin_, events);
  const std::size_t count = count_.load(std::memory_order_relaxed);
  const bool is_rise = events == rise;
  if (edges_ == PinEdges::both && (events == (rise | fall) || is_rise == is_high_)) {
    has_lost_.store(true, std::memory_order_relaxed);
  }
  is_high_ = events == (rise | fall) ? gpio_get(captured_pin_) : is_rise;
  times_us_[count] = time_us;
  if (count + 1 == times_us_.size()) gpio_set_irq_enabled(captured_pin_, rise | fall, false);
  count_.store(count + 1, std::memory_order_release);
}

Pins::Capture ChipPins::do_captured() {
  if (times_us_.empty()) return {0, false};
  const std::size_t count = count_.load(std::memory_order_acquire);
  return {count, has_lost_.load(std::memory_order_relaxed)};
}

void ChipPins::do_end_capture() {
  if (times_us_.empty()) return;
  gpio_set_irq_enabled(captured_pin_, rise | fall, false);
  gpio_remove_raw_irq_handler(captured_pin_, pico::handle_edge);
  times_us_ = {};
}

}  // namespace

Pins& digital_pins() { return the_digital_pins; }
Pins& pins() { return the_pins; }

}  // namespace mcp::pico
