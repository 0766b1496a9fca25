// SPDX-License-Identifier: Apache-2.0
// The clock of the processor, and the milliseconds of the board. SysTick belongs to this file.
//
// There is no tick: SysTick counts an eighth of the processor clock, and interrupts when its counter ends after 798 ms.
// A sleep with a limit below this ends by SysTick, too. A product that runs from a battery would stop the PLL during
// sleep, and use the RTC instead.
#include "ports/bare_metal/systick_clock.hpp"
#include "ports/boards/netduinoplus2/stm32f405_registers.hpp"

namespace {

constexpr std::uint32_t flash_acr = 0x4002'3C00;                      // Flash access control
constexpr std::uint32_t acr_5_wait_states = 5;                        // For 168 MHz at 3.3 V
constexpr std::uint32_t acr_caches = board::bit(9) | board::bit(10);  // For instructions and data

constexpr std::uint32_t cr_pll_on = board::bit(24);
constexpr std::uint32_t cr_pll_ready = board::bit(25);
// The internal oscillator of 16 MHz, / 16, x 336, / 2 for the processor and / 7 for the random number generator.
constexpr std::uint32_t pll_168_mhz = 16u | 336u << 6 | 7u << 24;
constexpr std::uint32_t cfgr_apb1_divide_by_4 = 5u << 10;
constexpr std::uint32_t cfgr_apb2_divide_by_2 = 4u << 13;
constexpr std::uint32_t cfgr_select_pll = 2;
constexpr std::uint32_t pll_lock_turns = 10'000;  // It locks within 300 us; a turn takes at least 0.3 us.

// RM0090, "Clocks" of RCC: the reference clock of SysTick is HCLK / 8.
constinit board::SystickClock<board::core_clock_hz / 8 / 1000> clock;

}  // namespace

extern "C" void systick_handler() { clock.end_period(); }

namespace board {

void start_clock() {
  reg(flash_acr) = acr_5_wait_states | acr_caches;
  reg(rcc_pllcfgr) = pll_168_mhz;
  reg(rcc_cfgr) = cfgr_apb1_divide_by_4 | cfgr_apb2_divide_by_2;
  reg(rcc_cr) = reg(rcc_cr) | cr_pll_on;
  // The emulated clock has no PLL: it never locks, and the processor runs at 168 MHz.
  for (std::uint32_t turns = 0; turns < pll_lock_turns; ++turns) {
    if ((reg(rcc_cr) & cr_pll_ready) == 0) continue;
    reg(rcc_cfgr) = cfgr_apb1_divide_by_4 | cfgr_apb2_divide_by_2 | cfgr_select_pll;
    break;
  }

  clock.start();
}

mcp::Millis millis() { return clock.millis(); }

void start_alarm(mcp::Millis after_ms) { clock.start_alarm(after_ms); }

}  // namespace board
