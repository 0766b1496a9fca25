// SPDX-License-Identifier: Apache-2.0
// The clock of the processor, and the milliseconds of the board. SysTick belongs to this file.
//
// SysTick interrupts each millisecond. This is the clock, and it ends every sleep that has a limit. A product that runs
// from a battery would stop it during sleep, and use the RTC instead.
#include <atomic>

#include "mcp/ports/stm32vldiscovery.hpp"
#include "ports/bare_metal/startup.hpp"
#include "stm32_registers.hpp"

namespace {

constexpr std::uint32_t cr_pll_on = board::bit(24);
constexpr std::uint32_t cr_pll_ready = board::bit(25);
constexpr std::uint32_t cfgr_select_pll = 2;
constexpr std::uint32_t cfgr_multiply_by_6 = 4u << 18;  // Half of the internal oscillator of 8 MHz, so 24 MHz
constexpr std::uint32_t pll_lock_turns = 10'000;        // It locks within 200 us; a turn takes at least 0.5 us.

std::atomic<mcp::Millis> now_ms;

}  // namespace

extern "C" void systick_handler() {
  now_ms.store(now_ms.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

namespace board {

void start_clock() {
  reg(rcc_cfgr) = cfgr_multiply_by_6;
  reg(rcc_cr) = reg(rcc_cr) | cr_pll_on;
  // The emulated clock has no PLL: it never locks, and the processor runs at 24 MHz.
  for (std::uint32_t turns = 0; turns < pll_lock_turns; ++turns) {
    if ((reg(rcc_cr) & cr_pll_ready) == 0) continue;
    reg(rcc_cfgr) = cfgr_multiply_by_6 | cfgr_select_pll;
    break;
  }

  reg(systick_load) = core_clock_hz / 1000 - 1;
  reg(systick_val) = 0;
  reg(systick_ctrl) = 7;  // Count, interrupt, from the processor clock.
}

mcp::Millis millis() { return now_ms.load(std::memory_order_relaxed); }

// 42 ns, of 1 ms.
std::uint32_t boot_noise() { return reg(systick_val); }

// The next millisecond ends the sleep.
void start_alarm(mcp::Millis /*after_ms*/) {}

}  // namespace board
