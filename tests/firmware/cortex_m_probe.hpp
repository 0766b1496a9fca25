// SPDX-License-Identifier: Apache-2.0
// What the probe.hpp of all boards with a Cortex-M share.
#pragma once

#include <cstdint>
#include <mcp/ports/cortex_m.hpp>

namespace probe {

/// Enables and raises interrupt `number`, 0 to 31.
inline void raise(unsigned number) {
  constexpr std::uint32_t nvic_ispr0 = 0xE000'E200;  // Interrupt set-pending
  board::reg(board::nvic_iser0) = board::bit(number);
  board::reg(nvic_ispr0) = board::bit(number);
}

inline void illegal_instruction() { asm volatile("udf 0"); }
/// The same, with this address in the stack pointer.
inline void fault_with_stack(std::uintptr_t address) { asm volatile("mov sp, %0\n udf 0" ::"r"(address)); }

/// No code is there.
inline constexpr std::uintptr_t nowhere = 0x1FFF'F001;
/// No data is there either.
inline constexpr std::uintptr_t unmapped = 0x1234'5678;

}  // namespace probe
