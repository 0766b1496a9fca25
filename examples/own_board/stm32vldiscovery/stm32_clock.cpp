// SPDX-License-Identifier: Apache-2.0
// The clock of the processor, and the milliseconds of the board. SysTick belongs to this file.
//
// There is no tick: SysTick counts an eighth of the processor clock, and interrupts when its counter ends after 5.6 s.
// A sleep with a limit below this ends by SysTick, too. A product that runs from a battery would stop the PLL during
// sleep, and use the RTC instead.
#include "mcp/ports/stm32vldiscovery.hpp"
#include "ports/bare_metal/startup.hpp"
#include "ports/bare_metal/systick_clock.hpp"
#include "stm32_registers.hpp"

namespace {

constexpr std::uint32_t cr_pll_on = board::bit(24);
constexpr std::uint32_t cr_pll_ready = board::bit(25);
constexpr std::uint32_t cfgr_select_pll = 2;
constexpr std::uint32_t cfgr_multiply_by_6 = 4u << 18;  // Half of the internal oscillator of 8 MHz, so 24 MHz
constexpr std::uint32_t pll_lock_turns = 10'000;        // It locks within 200 us; a turn takes at least 0.5 us.

// RM0041, "Clocks" of RCC: the reference clock of SysTick is HCLK / 8.
constinit board::SystickClock<board::core_clock_hz / 8 / 1000> clock;

}  // namespace

extern "C" void systick_handler() { clock.end_period(); }

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

  clock.start();
}

mcp::Millis millis() { return clock.millis(); }

// 333 ns, of 5.6 s.
std::uint32_t boot_noise() { return reg(systick_val); }

void start_alarm(mcp::Millis after_ms) { clock.start_alarm(after_ms); }

}  // namespace board
