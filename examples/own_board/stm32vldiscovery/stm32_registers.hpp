// SPDX-License-Identifier: Apache-2.0
// Registers of the STM32F100 that several files of this port use. Source: RM0041, "STM32F100xx reference manual".
#pragma once

#include <cstdint>

#include "mcp/ports/cortex_m.hpp"
#include "mcp/ports/processor.hpp"

namespace board {

inline constexpr std::uint32_t core_clock_hz = 24'000'000;  // Of the processor and of both peripheral buses

inline constexpr std::uint32_t rcc_cr = 0x4002'1000;       // Clock control
inline constexpr std::uint32_t rcc_cfgr = 0x4002'1004;     // Clock configuration
inline constexpr std::uint32_t rcc_apb2enr = 0x4002'1018;  // Clock gates: GPIO
inline constexpr std::uint32_t rcc_apb1enr = 0x4002'101C;  // Clock gates: USART2

inline constexpr std::uint32_t gpio_a = 0x4001'0800;
inline constexpr std::uint32_t gpio_c = 0x4001'1000;
inline constexpr std::uint32_t gpio_crl = 0x00;   // Mode of pins 0 to 7, 4 bits each
inline constexpr std::uint32_t gpio_crh = 0x04;   // Mode of pins 8 to 15
inline constexpr std::uint32_t gpio_bsrr = 0x10;  // Bits 0 to 15 set a pin, bits 16 to 31 clear it

inline constexpr std::uint32_t mode_output_2_mhz = 0x2;
inline constexpr std::uint32_t mode_input = 0x4;
inline constexpr std::uint32_t mode_peripheral_50_mhz = 0xB;

/// Sets the mode of a pin (0 to 15) of `port`.
inline void set_pin_mode(std::uint32_t port, unsigned pin, std::uint32_t mode) {
  const std::uint32_t modes = port + (pin < 8 ? gpio_crl : gpio_crh);
  const unsigned shift = pin % 8 * 4;
  reg(modes) = (reg(modes) & ~(0xFu << shift)) | mode << shift;
}

}  // namespace board
