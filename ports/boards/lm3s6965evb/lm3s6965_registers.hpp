// SPDX-License-Identifier: Apache-2.0
// Addresses and bits of the hardware, by their names in the LM3S6965 data sheet.
#pragma once

#include <cstdint>

#include "mcp/ports/cortex_m.hpp"
#include "mcp/ports/processor.hpp"

namespace board {

/// Sets bits of a clock gate (RCGC1, RCGC2). A peripheral may be touched three cycles later at the earliest; reading
/// the gate back takes that long.
inline void clock_on(std::uint32_t gate, std::uint32_t bits) {
  reg(gate) |= bits;
  [[maybe_unused]] const std::uint32_t settled = reg(gate);
}

inline constexpr std::uint32_t core_clock_hz = 50'000'000;

// System control ("System Control" chapter of the data sheet).
inline constexpr std::uint32_t sysctl_srcr0 = 0x400F'E040;  // Software resets, bits as in RCGC0
inline constexpr std::uint32_t sysctl_srcr1 = 0x400F'E044;  // Software resets, bits as in RCGC1
inline constexpr std::uint32_t sysctl_ris = 0x400F'E050;    // Raw interrupt status: PLL lock
inline constexpr std::uint32_t sysctl_rcc = 0x400F'E060;    // Run-mode clock configuration
inline constexpr std::uint32_t sysctl_rcgc0 = 0x400F'E100;  // Clock gates: watchdog, ADC
inline constexpr std::uint32_t sysctl_rcgc1 = 0x400F'E104;  // Clock gates: UART, I2C, timers
inline constexpr std::uint32_t sysctl_rcgc2 = 0x400F'E108;  // Clock gates: GPIO ports

inline constexpr std::uint32_t rcgc0_watchdog = bit(3);
inline constexpr std::uint32_t rcgc0_adc = bit(16);
inline constexpr std::uint32_t rcgc1_uart0 = bit(0);
inline constexpr std::uint32_t rcgc1_i2c0 = bit(12);
inline constexpr std::uint32_t rcgc1_timer0 = bit(16);
inline constexpr std::uint32_t rcgc2_port_a = bit(0);
inline constexpr std::uint32_t rcgc2_port_b = bit(1);
inline constexpr std::uint32_t rcgc2_port_f = bit(5);

// GPIO ports ("General-Purpose Input/Outputs"): base addresses, and offsets from them.
inline constexpr std::uint32_t gpio_a = 0x4000'4000;
inline constexpr std::uint32_t gpio_b = 0x4000'5000;
inline constexpr std::uint32_t gpio_f = 0x4002'5000;
inline constexpr std::uint32_t gpio_dir = 0x400;    // Direction: 1 = output
inline constexpr std::uint32_t gpio_is = 0x404;     // Interrupt sense: 1 = level, 0 = edge
inline constexpr std::uint32_t gpio_ibe = 0x408;    // Interrupt at both edges
inline constexpr std::uint32_t gpio_iev = 0x40C;    // Interrupt at a rising edge (1) or a falling one
inline constexpr std::uint32_t gpio_im = 0x410;     // Interrupt mask: 1 = on
inline constexpr std::uint32_t gpio_mis = 0x418;    // Interrupt status after the mask
inline constexpr std::uint32_t gpio_icr = 0x41C;    // Interrupt clear
inline constexpr std::uint32_t gpio_afsel = 0x420;  // Alternate function
inline constexpr std::uint32_t gpio_odr = 0x50C;    // Open drain
inline constexpr std::uint32_t gpio_pur = 0x510;    // Pull-up
inline constexpr std::uint32_t gpio_pdr = 0x514;    // Pull-down
inline constexpr std::uint32_t gpio_den = 0x51C;    // Digital enable

/// The data register of a port, at the address mask that selects only `pins`.
constexpr std::uint32_t gpio_data(std::uint32_t port, std::uint32_t pins) { return port + (pins << 2); }

// Timers ("General-Purpose Timers"): the address of timer 0, offsets, and bits of their part A, which has 32 bits.
inline constexpr std::uint32_t timer_0 = 0x4003'0000;
inline constexpr std::uint32_t timer_size = 0x1000;     // From each timer to the next one
inline constexpr std::uint32_t timer_mode = 0x004;      // GPTMTAMR
inline constexpr std::uint32_t timer_control = 0x00C;   // GPTMCTL
inline constexpr std::uint32_t timer_mask = 0x018;      // GPTMIMR
inline constexpr std::uint32_t timer_clear = 0x024;     // GPTMICR
inline constexpr std::uint32_t timer_interval = 0x028;  // GPTMTAILR
inline constexpr std::uint32_t timer_one_shot = 1;      // Mode
inline constexpr std::uint32_t timer_enable = bit(0);   // Control
inline constexpr std::uint32_t timer_trigger = bit(5);  // Control: the end starts a conversion of the ADC
inline constexpr std::uint32_t timer_timeout = bit(0);  // Interrupt

}  // namespace board
