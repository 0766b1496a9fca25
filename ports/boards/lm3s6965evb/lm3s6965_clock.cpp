// SPDX-License-Identifier: Apache-2.0
// The processor clock, the millisecond clock and the alarm that ends a sleep.
//
// There is no tick. A processor that wakes every millisecond wastes most of the saved energy (and 5 % of a host core in
// the emulator). SysTick counts 320 ms at a time, and timer 0 ends a sleep with a limit. Both belong to this file.
#include <algorithm>
#include <atomic>

#include "mcp/ports/lm3s6965evb.hpp"
#include "ports/bare_metal/startup.hpp"
#include "ports/boards/lm3s6965evb/lm3s6965_clock.hpp"
#include "ports/boards/lm3s6965evb/lm3s6965_registers.hpp"

namespace {

// Fields of RCC ("Run-Mode Clock Configuration").
constexpr std::uint32_t rcc_main_oscillator_off = board::bit(0);
constexpr std::uint32_t rcc_source_mask = 3u << 4;  // 0 = main oscillator
constexpr std::uint32_t rcc_crystal_mask = 0xFu << 6;
constexpr std::uint32_t rcc_crystal_8_mhz = 0xEu << 6;
constexpr std::uint32_t rcc_pll_bypass = board::bit(11);
constexpr std::uint32_t rcc_pll_off = board::bit(13);
constexpr std::uint32_t rcc_use_divider = board::bit(22);
constexpr std::uint32_t rcc_divider_mask = 0xFu << 23;
constexpr std::uint32_t rcc_divide_by_4 = 3u << 23;  // 200 MHz / 4
constexpr std::uint32_t ris_pll_locked = board::bit(6);

// The crystal is steady after 8 ms at most and the PLL locks within 0.5 ms ("Clock Source Specifications", "PLL
// Characteristics"). One turn takes at least 3 cycles. If the PLL does not lock, the board continues without it, at a
// wrong baud rate.
constexpr std::uint32_t oscillator_start_turns = 40'000;
constexpr std::uint32_t pll_lock_turns = 32'768;

// One turn on hardware; in an emulator the host may take its time.
constexpr std::uint32_t systick_load_turns = 5'000'000;

constexpr std::uint32_t cycles_per_ms = board::core_clock_hz / 1000;
constexpr std::uint32_t cycles_per_us = board::core_clock_hz / 1'000'000;
constexpr mcp::Millis period_ms = 320;            // SysTick has 24 bits: up to 335 ms
constexpr mcp::Millis longest_sleep_ms = 80'000;  // Timer 0 has 32 bits: up to 85 s

constexpr unsigned timer0_interrupt = 19;

std::atomic<mcp::Millis> period_start_ms;

struct Moment {
  mcp::Millis period_start_ms;
  std::uint32_t cycles;  // of the period
};

// Inlined, because most images have one caller.
[[gnu::always_inline]] inline Moment now() {
  const board::InterruptsOff guard;
  // The counter starts again before its handler has counted the period: then the handler is pending.
  std::uint32_t left = board::reg(board::systick_val);
  mcp::Millis start_ms = period_start_ms.load(std::memory_order_relaxed);
  if ((board::reg(board::scb_icsr) & board::icsr_systick_pending) != 0) {
    left = board::reg(board::systick_val);
    start_ms += period_ms;
    if (left == 0) return {start_ms, 0};  // it is 0 for a cycle before it is loaded
  }
  return {start_ms, period_ms * cycles_per_ms - 1 - left};
}

}  // namespace

extern "C" void systick_handler() {
  period_start_ms.store(period_start_ms.load(std::memory_order_relaxed) + period_ms, std::memory_order_relaxed);
}

// It only has to end the sleep.
extern "C" void timer0a_handler() {
  board::reg(board::timer_0 + board::timer_clear) = board::timer_timeout;
  board::is_alarm_set.store(false, std::memory_order_relaxed);
}

namespace board {

void start_clock() {
  // Drivers read from these gates whether they are switched on. Some resets do not clear them: that of the emulator
  // does not, and a boot loader may have left some open.
  reg(sysctl_rcgc1) = 0;
  reg(sysctl_rcgc2) = 0;
  // The order is the data sheet's ("Initialization and Configuration" of System Control).
  std::uint32_t rcc = (reg(sysctl_rcc) | rcc_pll_bypass) & ~(rcc_use_divider | rcc_main_oscillator_off);
  reg(sysctl_rcc) = rcc;
  for (std::uint32_t turns = 0; turns < oscillator_start_turns; ++turns) asm volatile("");
  rcc &= ~(rcc_source_mask | rcc_crystal_mask | rcc_pll_off | rcc_divider_mask);
  rcc |= rcc_crystal_8_mhz | rcc_divide_by_4 | rcc_use_divider;
  reg(sysctl_rcc) = rcc;
  for (std::uint32_t turns = 0; turns < pll_lock_turns; ++turns) {
    if ((reg(sysctl_ris) & ris_pll_locked) == 0) continue;
    reg(sysctl_rcc) = rcc & ~rcc_pll_bypass;
    break;
  }

  reg(systick_load) = period_ms * cycles_per_ms - 1;
  reg(systick_val) = 0;
  reg(systick_ctrl) = 7;  // Count, interrupt, from the processor clock.
  // The counter is 0, which reads as the end of a period, until the next cycle has loaded it.
  for (std::uint32_t turns = 0; turns < systick_load_turns && reg(systick_val) == 0; ++turns) asm volatile("");

  clock_on(sysctl_rcgc1, rcgc1_timer0);
  reg(timer_0 + timer_mode) = timer_one_shot;
  reg(timer_0 + timer_mask) = timer_timeout;
  reg(nvic_iser0) = bit(timer0_interrupt);
}

mcp::Millis millis() {
  const Moment moment = now();
  return moment.period_start_ms + moment.cycles / cycles_per_ms;
}

// The start wraps at 2^32 ms, which is a multiple of 2^32 us.
std::uint32_t micros() {
  const Moment moment = now();
  return moment.period_start_ms * 1000 + moment.cycles / cycles_per_us;
}

// 20 ns, of 320 ms.
std::uint32_t boot_noise() { return reg(systick_val); }

void start_alarm(mcp::Millis after_ms) {
  reg(timer_0 + timer_control) = 0;
  reg(timer_0 + timer_interval) = std::min(after_ms, longest_sleep_ms) * cycles_per_ms;
  reg(timer_0 + timer_control) = timer_enable;
  is_alarm_set.store(true, std::memory_order_relaxed);
}

}  // namespace board
