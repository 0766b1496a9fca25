// SPDX-License-Identifier: Apache-2.0
// Pulses on any pin, by the interrupts of the timers 1 to 3: each timer serves one pin. The emulator has these timers,
// and not the PWM unit of the chip. Knows no peripheral but the timers.
#include <algorithm>

#include "ports/boards/lm3s6965evb/lm3s6965_pins.hpp"

namespace board {
namespace {

constexpr unsigned timer_count = 3;
constexpr unsigned interrupts[timer_count] = {21, 23, 35};
constexpr std::uint32_t ns_per_cycle = 1'000'000'000 / core_clock_hz;
// An interrupt takes less than 5 us, so half of the time of the processor is left.
constexpr std::uint32_t shortest_ns = 20'000;

struct Pulses {
  std::uint32_t high_cycles;
  std::uint32_t low_cycles;
  std::uint8_t pin;
  bool is_on;
  bool is_high;
};
Pulses pulses[timer_count];

std::uint32_t timer(unsigned index) { return timer_0 + (index + 1) * timer_size; }

void begin_half(unsigned index, bool high) {
  Pulses& one = pulses[index];
  one.is_high = high;
  GpioPin(one.pin).drive(high);
  reg(timer(index) + timer_interval) = high ? one.high_cycles : one.low_cycles;
  reg(timer(index) + timer_control) = timer_enable;
}

void handle(unsigned index) {
  reg(timer(index) + timer_clear) = timer_timeout;
  if (pulses[index].is_on) begin_half(index, !pulses[index].is_high);
}

// Returns timer_count if all timers make pulses.
unsigned find_timer() {
  unsigned index = 0;
  while (index < timer_count && pulses[index].is_on) ++index;
  if (index == timer_count) return index;
  clock_on(sysctl_rcgc1, rcgc1_timer0 << (index + 1));
  reg(timer(index) + timer_control) = 0;
  reg(timer(index) + timer_mode) = timer_one_shot;
  reg(timer(index) + timer_mask) = 0;
  reg(timer(index) + timer_clear) = timer_timeout;
  return index;
}

}  // namespace

// Also with interrupts off: a pending interrupt finds that the pulses have ended.
void end_pulses(std::uint8_t number) {
  for (unsigned i = 0; i < timer_count; ++i) {
    if (!pulses[i].is_on || pulses[i].pin != number) continue;
    pulses[i].is_on = false;
    reg(timer(i) + timer_control) = 0;
  }
}

std::uint32_t free_timer() {
  const unsigned index = find_timer();
  return index == timer_count ? 0 : timer(index);
}

mcp::PinError ChipPins::do_pwm(std::uint8_t number, std::uint32_t period_ns, std::uint32_t high_ns,
                               std::uint32_t& actual_period_ns) {
  const std::uint32_t high_cycles = high_ns / ns_per_cycle;
  const std::uint32_t cycles = period_ns / ns_per_cycle;
  const bool is_constant = high_cycles == 0 || high_cycles == cycles;
  const std::uint32_t shortest = std::min(high_ns, period_ns - high_ns);
  if (cycles == 0 || (!is_constant && shortest < shortest_ns)) return mcp::PinError::out_of_range;
  actual_period_ns = cycles * ns_per_cycle;
  end_pulses(number);
  if (is_constant) return do_output(number, high_cycles != 0);
  const unsigned index = find_timer();
  if (index == timer_count) return mcp::PinError::busy;
  const mcp::PinError error = do_output(number, false);
  if (error != mcp::PinError::none) return error;
  pulses[index] = {
      .high_cycles = high_cycles, .low_cycles = cycles - high_cycles, .pin = number, .is_on = true, .is_high = false};
  reg(timer(index) + timer_mask) = timer_timeout;
  reg(nvic_iser0 + interrupts[index] / 32 * 4) = bit(interrupts[index] % 32);
  begin_half(index, true);
  return mcp::PinError::none;
}

}  // namespace board

extern "C" void timer1a_handler() { board::handle(0); }
extern "C" void timer2a_handler() { board::handle(1); }
extern "C" void timer3a_handler() { board::handle(2); }
