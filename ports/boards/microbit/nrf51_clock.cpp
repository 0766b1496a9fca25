// SPDX-License-Identifier: Apache-2.0
// The crystal, the millisecond clock and the alarm that ends a sleep. TIMER0 belongs to this file.
//
// There is no tick. TIMER0 counts 32 bits at 125 kHz, which is 9.5 hours. It interrupts twice in this time, so that
// millis() sees each half.
#include <algorithm>

#include "ports/bare_metal/startup.hpp"
#include "ports/boards/microbit/nrf51_clock.hpp"
#include "ports/boards/microbit/nrf51_registers.hpp"

namespace board {
namespace {

constexpr std::uint32_t hfclk_start = clock_registers + 0x000;
constexpr std::uint32_t hfclk_started = clock_registers + 0x100;
// The crystal is steady after 0.8 ms. A turn takes at least 0.3 us. Without the crystal, the baud rate may be wrong.
constexpr std::uint32_t crystal_start_turns = 20'000;

constexpr std::uint32_t timer_start = timer_registers + 0x000;
constexpr std::uint32_t timer_capture_now = timer_registers + 0x040;
constexpr std::uint32_t timer_compare = timer_registers + 0x140;  // Events, one word for each channel
constexpr std::uint32_t timer_bitmode = timer_registers + 0x508;
constexpr std::uint32_t timer_prescaler = timer_registers + 0x510;
constexpr std::uint32_t timer_cc = timer_registers + 0x540;  // One word for each channel
constexpr std::uint32_t bitmode_32 = 3;
constexpr std::uint32_t divide_by_128 = 7;  // 16 MHz / 2^7
constexpr std::uint32_t ticks_per_ms = 125;

// Channels: the value now, the end of a sleep, the end of wake_soon(), and each half.
constexpr std::uint32_t now_channel = 0;
constexpr std::uint32_t alarm_channel = 1;
constexpr std::uint32_t soon_channel = 2;
constexpr std::uint32_t half_channel = 3;
constexpr std::uint32_t half = bit(31);
constexpr mcp::Millis longest_sleep_ms = 3'600'000;

// The last time that millis() has seen: in whole milliseconds, and the value of the counter at its begin.
mcp::Millis seen_ms;
std::uint32_t seen_ticks;

volatile std::uint32_t& value(std::uint32_t channel) { return reg(timer_cc + 4 * channel); }
volatile std::uint32_t& event(std::uint32_t channel) { return reg(timer_compare + 4 * channel); }
std::uint32_t interrupt(std::uint32_t channel) { return bit(16 + channel); }

std::uint32_t ticks() {
  reg(timer_capture_now) = 1;
  return value(now_channel);
}

}  // namespace

void start_clock() {
  reg(hfclk_start) = 1;
  for (std::uint32_t turns = 0; turns < crystal_start_turns && reg(hfclk_started) == 0; ++turns) {
  }
  reg(timer_bitmode) = bitmode_32;
  reg(timer_prescaler) = divide_by_128;
  value(half_channel) = half;
  reg(timer_registers + intenset) = interrupt(alarm_channel) | interrupt(soon_channel) | interrupt(half_channel);
  reg(timer_start) = 1;
  reg(nvic_iser0) = bit(timer_interrupt);
}

mcp::Millis millis() {
  const InterruptsOff guard;
  const std::uint32_t passed_ms = (ticks() - seen_ticks) / ticks_per_ms;
  seen_ms += passed_ms;
  seen_ticks += passed_ms * ticks_per_ms;
  return seen_ms;
}

void start_alarm(mcp::Millis after_ms) {
  const std::uint32_t after_ticks = std::min(after_ms, longest_sleep_ms) * ticks_per_ms;
  // At least two ticks later: the counter must not pass the value before it is written.
  value(alarm_channel) = ticks() + std::max<std::uint32_t>(after_ticks, 2);
  is_alarm_set.store(true, std::memory_order_relaxed);
}

void wake_soon() {
  const InterruptsOff guard;
  value(soon_channel) = ticks() + ticks_per_ms;
}

}  // namespace board

extern "C" void timer0_handler() {
  using namespace board;
  event(alarm_channel) = 0;
  is_alarm_set.store(false, std::memory_order_relaxed);  // also for the other channels, which are rare
  if (event(soon_channel) != 0) {
    event(soon_channel) = 0;
    wake_from_isr();
  }
  if (event(half_channel) != 0) {
    event(half_channel) = 0;
    value(half_channel) = value(half_channel) ^ half;
    static_cast<void>(millis());
  }
}
