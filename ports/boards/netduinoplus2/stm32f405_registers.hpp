// SPDX-License-Identifier: Apache-2.0
// Registers of the STM32F405 that several files of this port use. Source: RM0090, "STM32F405/415 reference manual".
#pragma once

#include "mcp/ports/cortex_m.hpp"

namespace board {

inline constexpr std::uint32_t core_clock_hz = 168'000'000;
inline constexpr std::uint32_t apb2_clock_hz = core_clock_hz / 2;  // Of USART6

inline constexpr std::uint32_t rcc_cr = 0x4002'3800;       // Clock control
inline constexpr std::uint32_t rcc_pllcfgr = 0x4002'3804;  // PLL configuration
inline constexpr std::uint32_t rcc_cfgr = 0x4002'3808;     // Clock configuration
inline constexpr std::uint32_t rcc_ahb1enr = 0x4002'3830;  // Clock gates: GPIO
inline constexpr std::uint32_t rcc_ahb2enr = 0x4002'3834;  // Clock gates: RNG
inline constexpr std::uint32_t rcc_apb2enr = 0x4002'3844;  // Clock gates: USART6

inline constexpr std::uint32_t gpio_a = 0x4002'0000;
inline constexpr std::uint32_t gpio_c = 0x4002'0800;
inline constexpr std::uint32_t gpio_moder = 0x00;  // Mode, 2 bits for each pin
inline constexpr std::uint32_t gpio_pupdr = 0x0C;  // Pull-up and pull-down, 2 bits for each pin
inline constexpr std::uint32_t gpio_bsrr = 0x18;   // Bits 0 to 15 set a pin, bits 16 to 31 clear it
inline constexpr std::uint32_t gpio_afrl = 0x20;   // Function of pins 0 to 7, 4 bits each

inline constexpr std::uint32_t mode_output = 1;
inline constexpr std::uint32_t mode_function = 2;
inline constexpr std::uint32_t pull_up = 1;

/// Sets the field of `width` bits for `pin` in a register.
inline void set_field(std::uint32_t address, unsigned pin, unsigned width, std::uint32_t value) {
  const unsigned shift = pin * width;
  reg(address) = (reg(address) & ~((bit(width) - 1) << shift)) | value << shift;
}

}  // namespace board
