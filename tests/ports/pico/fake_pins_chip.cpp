// SPDX-License-Identifier: Apache-2.0
#include "fake_pins_chip.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <hardware/clocks.h>
#include <pico/time.h>

io_bank0_hw_t fake_io_bank0;
adc_hw_t fake_adc;
pwm_hw_t fake_pwm;

namespace fake {

Chip chip;

namespace {

Pin& pin(unsigned gpio) {
  EXPECT_LT(gpio, chip.pins.size()) << "an assertion of the SDK";
  return chip.pins[gpio];
}

bool drives(const Pin& pin) { return pin.function == GPIO_FUNC_SIO && pin.is_out; }

// Latches edges of all pins, and adds the state of the watched one to the log.
void follow() {
  const Pin& watched = chip.pins[chip.watched];
  const char state = watched.function == GPIO_FUNC_PWM ? '~' : !drives(watched) ? 'z' : watched.drives_high ? '1' : '0';
  if (chip.log.empty() || chip.log.back() != state) chip.log += state;
  for (unsigned i = 0; i < chip.pins.size(); ++i) {
    const bool high = is_high(i);
    if (high == chip.pins[i].was_high) continue;
    chip.pins[i].was_high = high;
    chip.pins[i].latched |= high ? GPIO_IRQ_EDGE_RISE : GPIO_IRQ_EDGE_FALL;
  }
}

bool has_event() {
  return std::any_of(chip.pins.begin(), chip.pins.end(),
                     [](const Pin& pin) { return (pin.latched & pin.enabled) != 0; });
}

// gpio_default_irq_handler().
void handle_by_callback() {
  for (unsigned i = 0; i < chip.pins.size(); ++i) {
    const unsigned events = chip.pins[i].latched & chip.pins[i].enabled;
    if (events == 0 || (chip.raw >> i & 1) != 0) continue;
    gpio_acknowledge_irq(i, events);
    chip.callback(i, events);
  }
}

// irq_add_shared_handler(): before the first handler whose priority is not higher.
void add_handler(irq_handler_t handler, unsigned priority) {
  EXPECT_EQ(chip.exclusive, nullptr) << "an assertion of the SDK";
  const auto at = std::find_if(chip.handlers.begin(), chip.handlers.end(),
                               [priority](const Handler& other) { return other.priority <= priority; });
  chip.handlers.insert(at, {handler, priority});
}

void remove_handler(irq_handler_t handler) {
  const auto at = std::find_if(chip.handlers.begin(), chip.handlers.end(),
                               [handler](const Handler& other) { return other.call == handler; });
  ASSERT_NE(at, chip.handlers.end()) << "an assertion of the SDK";
  chip.handlers.erase(at);
}

}  // namespace

bool is_high(unsigned gpio) {
  const Pin& pin = chip.pins[gpio];
  if (!pin.has_input) return false;
  if (pin.wire != Pin::Wire::open) return pin.wire == Pin::Wire::high;
  return drives(pin) ? pin.drives_high : pin.is_pulled_up;
}

void set_wire(unsigned gpio, Pin::Wire wire) {
  pin(gpio).wire = wire;
  follow();
  run_interrupt();
}

void run_interrupt() {
  for (int i = 0; chip.is_enabled && !chip.is_masked && has_event(); ++i) {
    ASSERT_LT(i, 10) << "no handler acknowledges an event";
    const std::vector<Handler> handlers = chip.handlers;
    for (const Handler& handler : handlers) handler.call();
  }
}

void reset() {
  chip = {};
  fake_io_bank0 = {};
  fake_adc = {};
  fake_pwm = {};
}

}  // namespace fake

using fake::chip;
using fake::follow;
using fake::pin;

extern "C" {

// ---- hardware_gpio -------------------------------------------------------------------------------------------------

void gpio_set_function(unsigned gpio, gpio_function_t fn) {
  pin(gpio).has_input = true;
  pin(gpio).function = fn;
  follow();
}
gpio_function_t gpio_get_function(unsigned gpio) { return pin(gpio).function; }
void gpio_set_pulls(unsigned gpio, bool up, bool down) {
  pin(gpio).is_pulled_up = up;
  pin(gpio).is_pulled_down = down;
  follow();
}
void gpio_disable_pulls(unsigned gpio) { gpio_set_pulls(gpio, false, false); }
void gpio_set_input_enabled(unsigned gpio, bool enabled) {
  pin(gpio).has_input = enabled;
  follow();
}
void gpio_set_dir(unsigned gpio, bool out) {
  pin(gpio).is_out = out;
  follow();
}
bool gpio_is_dir_out(unsigned gpio) { return pin(gpio).is_out; }
void gpio_put(unsigned gpio, bool value) {
  pin(gpio).drives_high = value;
  follow();
}
bool gpio_get(unsigned gpio) {
  EXPECT_LT(gpio, chip.pins.size());
  return fake::is_high(gpio);
}
void gpio_acknowledge_irq(unsigned gpio, uint32_t event_mask) { pin(gpio).latched &= ~event_mask; }
void gpio_set_irq_enabled(unsigned gpio, uint32_t event_mask, bool enabled) {
  EXPECT_TRUE(!enabled || !chip.handlers.empty()) << "an assertion of the SDK";
  gpio_acknowledge_irq(gpio, event_mask);
  if (enabled) {
    pin(gpio).enabled |= event_mask;
  } else {
    pin(gpio).enabled &= ~event_mask;
  }
  uint32_t& inte = fake_io_bank0.proc0_irq_ctrl.inte[gpio / 8];
  inte = (inte & ~(0xFU << 4 * (gpio % 8))) | pin(gpio).enabled << 4 * (gpio % 8);
}
void gpio_set_irq_callback(gpio_irq_callback_t callback) {
  if (chip.callback == nullptr)
    fake::add_handler(fake::handle_by_callback, PICO_SHARED_IRQ_HANDLER_LOWEST_ORDER_PRIORITY);
  chip.callback = callback;
}
uint32_t gpio_get_irq_event_mask(unsigned gpio) { return pin(gpio).latched & pin(gpio).enabled; }
void gpio_add_raw_irq_handler_with_order_priority(unsigned gpio, irq_handler_t handler, uint8_t order_priority) {
  EXPECT_EQ(chip.raw >> gpio & 1, 0U) << "an assertion of the SDK";
  chip.raw |= uint64_t{1} << gpio;
  fake::add_handler(handler, order_priority);
}
void gpio_remove_raw_irq_handler(unsigned gpio, irq_handler_t handler) {
  fake::remove_handler(handler);
  chip.raw &= ~(uint64_t{1} << gpio);
}
unsigned get_core_num(void) { return 0; }
void busy_wait_at_least_cycles(uint32_t) {}

// ---- hardware_irq, hardware_timer, hardware_clocks -----------------------------------------------------------------

irq_handler_t irq_get_exclusive_handler(unsigned num) {
  EXPECT_EQ(num, unsigned{IO_IRQ_BANK0});
  return chip.exclusive;
}
void irq_set_enabled(unsigned num, bool enabled) {
  EXPECT_EQ(num, unsigned{IO_IRQ_BANK0});
  chip.is_enabled = enabled;
}
uint32_t time_us_32(void) { return chip.now_us; }
uint32_t clock_get_hz(clock_handle_t clock) {
  EXPECT_EQ(clock, clk_sys);
  return chip.hz;
}

// ---- hardware_adc --------------------------------------------------------------------------------------------------

void adc_init(void) {
  ++chip.adc_inits;
  fake_adc.cs = ADC_CS_EN_BITS;
}
void adc_gpio_init(unsigned gpio) {
  EXPECT_TRUE(gpio >= ADC_BASE_PIN && gpio < ADC_BASE_PIN + NUM_ADC_CHANNELS - 1) << "an assertion of the SDK";
  gpio_set_function(gpio, GPIO_FUNC_NULL);
  gpio_disable_pulls(gpio);
  gpio_set_input_enabled(gpio, false);
}
void adc_select_input(unsigned input) {
  EXPECT_LT(input, unsigned{NUM_ADC_CHANNELS}) << "an assertion of the SDK";
  chip.selected = input;
}
void adc_set_temp_sensor_enabled(bool enable) {
  if (enable) fake_adc.cs |= ADC_CS_TS_EN_BITS;
}
// A conversion of the sensor that is off has an arbitrary value.
uint16_t adc_read(void) {
  EXPECT_NE(fake_adc.cs & ADC_CS_EN_BITS, 0U);
  const bool is_off = chip.selected == ADC_TEMPERATURE_CHANNEL_NUM && (fake_adc.cs & ADC_CS_TS_EN_BITS) == 0;
  return is_off ? 4'095 : static_cast<uint16_t>(chip.values[chip.selected] + chip.conversions++ % 2);
}

// ---- hardware_pwm --------------------------------------------------------------------------------------------------

unsigned pwm_gpio_to_slice_num(unsigned gpio) { return gpio < 32 ? gpio >> 1 & 7 : 8 + (gpio >> 1 & 3); }
unsigned pwm_gpio_to_channel(unsigned gpio) { return gpio & 1; }
pwm_config pwm_get_default_config(void) { return {0, 1 << PWM_CH0_DIV_INT_LSB, 0xFFFF}; }
void pwm_init(unsigned slice_num, pwm_config* c, bool start) {
  fake_pwm.slice[slice_num] = {c->csr | (start ? PWM_CH0_CSR_EN_BITS : 0U), c->div, 0, 0, c->top};
}
void pwm_set_clkdiv_int_frac4(unsigned slice_num, uint8_t div_int, uint8_t div_frac4) {
  EXPECT_NE(div_int, 0) << "an assertion of the SDK";
  fake_pwm.slice[slice_num].div = uint32_t{div_int} << PWM_CH0_DIV_INT_LSB | div_frac4;
}
void pwm_set_wrap(unsigned slice_num, uint16_t wrap) { fake_pwm.slice[slice_num].top = wrap; }
void pwm_set_gpio_level(unsigned gpio, uint16_t level) {
  uint32_t& cc = fake_pwm.slice[pwm_gpio_to_slice_num(gpio)].cc;
  cc = pwm_gpio_to_channel(gpio) != 0 ? (cc & 0xFFFF) | uint32_t{level} << 16 : (cc & ~0xFFFFU) | level;
}
void pwm_set_enabled(unsigned slice_num, bool enabled) {
  uint32_t& csr = fake_pwm.slice[slice_num].csr;
  csr = enabled ? csr | PWM_CH0_CSR_EN_BITS : csr & ~PWM_CH0_CSR_EN_BITS;
}
}
