// SPDX-License-Identifier: Apache-2.0
// Addresses of the MPS2 AN385, by their names in "Application Note AN385". Knows no driver.
#pragma once

#include "mcp/ports/cortex_m.hpp"

namespace board {

inline constexpr std::uint32_t core_clock_hz = 25'000'000;

inline constexpr std::uint32_t timer0 = 0x4000'0000;
inline constexpr std::uint32_t timer1 = 0x4000'1000;
inline constexpr std::uint32_t uart0_registers = 0x4000'4000;
inline constexpr std::uint32_t lan9118 = 0x4020'0000;

inline constexpr unsigned uart0_receive_interrupt = 0;
inline constexpr unsigned uart0_transmit_interrupt = 1;
inline constexpr unsigned timer0_interrupt = 8;
inline constexpr unsigned timer1_interrupt = 9;
inline constexpr unsigned ethernet_interrupt = 13;

}  // namespace board
