// SPDX-License-Identifier: Apache-2.0
// Addresses of the nRF51822 and pins of the micro:bit, by their names in the "nRF51 Series Reference Manual". Knows no
// driver.
//
// A peripheral has tasks, which a 1 starts, and events, which it sets to 1 and a 0 clears. An event whose bit is set in
// INTENSET raises the interrupt until it is cleared.
#pragma once

#include "mcp/ports/cortex_m.hpp"

namespace board {

inline constexpr std::uint32_t clock_registers = 0x4000'0000;
inline constexpr std::uint32_t uart_registers = 0x4000'2000;
inline constexpr std::uint32_t timer_registers = 0x4000'8000;  // TIMER0
inline constexpr std::uint32_t temp_registers = 0x4000'C000;
inline constexpr std::uint32_t rng_registers = 0x4000'D000;

inline constexpr unsigned uart_interrupt = 2;
inline constexpr unsigned timer_interrupt = 8;

inline constexpr std::uint32_t intenset = 0x304;  // In each peripheral
inline constexpr std::uint32_t intenclr = 0x308;

inline constexpr std::uint32_t gpio_outset = 0x5000'0508;
inline constexpr std::uint32_t gpio_outclr = 0x5000'050C;
inline constexpr std::uint32_t gpio_dirset = 0x5000'0518;

inline constexpr unsigned pin_led_column1 = 4;
inline constexpr unsigned pin_led_row1 = 13;
inline constexpr unsigned pin_transmit = 24;  // To the USB interface of the board
inline constexpr unsigned pin_receive = 25;

}  // namespace board
