// SPDX-License-Identifier: Apache-2.0
// The pins, the ADC and the PWM timers of an RP2040, as the functions of pico-sdk 2.1.1 drive them:
// hardware_gpio/gpio.c, hardware_irq/irq.c, hardware_adc/adc.c and their headers, all in src/rp2_common.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <hardware/adc.h>
#include <hardware/gpio.h>
#include <hardware/pwm.h>

namespace fake {

struct Pin {
  enum class Wire : std::uint8_t { open, low, high };
  gpio_function_t function = GPIO_FUNC_NULL;
  bool is_out = false;
  bool drives_high = false;  // as an output
  bool is_pulled_up = false;
  bool is_pulled_down = true;
  bool has_input = true;  // the digital one
  Wire wire = Wire::open;
  bool was_high = false;
  unsigned latched = 0;  // edges of INTR
  unsigned enabled = 0;  // edges of INTE
};

struct Handler {
  irq_handler_t call;
  unsigned priority;
};

struct Chip {
  std::array<Pin, NUM_BANK0_GPIOS> pins;
  unsigned watched = 0;
  std::string log;  // what the watched pin drives: 0, 1, z for nothing, ~ for pulses
  // Interrupts.
  std::vector<Handler> handlers;  // of IO_IRQ_BANK0, in the order of their calls
  irq_handler_t exclusive = nullptr;
  gpio_irq_callback_t callback = nullptr;
  std::uint64_t raw = 0;
  bool is_enabled = false;
  bool is_masked = false;  // by the test
  std::uint32_t now_us = 0;
  // The ADC.
  std::array<std::uint16_t, NUM_ADC_CHANNELS> values{};
  unsigned selected = 0;
  unsigned conversions = 0;
  unsigned adc_inits = 0;
  std::uint32_t hz = 125'000'000;
};
extern Chip chip;

bool is_high(unsigned gpio);
// The level of a wire outside the chip. Runs the interrupt.
void set_wire(unsigned gpio, Pin::Wire wire);
// The interrupt, if it is enabled, not masked, and has an event.
void run_interrupt();
void reset();

}  // namespace fake
