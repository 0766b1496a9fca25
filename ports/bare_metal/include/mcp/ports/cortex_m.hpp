// SPDX-License-Identifier: Apache-2.0
/// @file
/// Registers, memory protection and fault handler of the Cortex-M0, M3 and M4, for ports to boards with these
/// processors. A Cortex-M0 has no memory protection and none of the registers `scb_cfsr` to `mpu_rasr`.
/// @code
/// void enable_uart_interrupt() {
///   board::protect_memory(18);  // 256 KB of flash
///   board::reg(board::nvic_iser0) = board::bit(5);
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>
#include <span>

#include "mcp/ports/processor.hpp"

namespace board {

// Source: ARMv7-M Architecture Reference Manual, "System Control Space".
inline constexpr std::uint32_t nvic_iser0 = 0xE000'E100;    ///< Interrupt set-enable, interrupts 0 to 31.
inline constexpr std::uint32_t nvic_iser1 = 0xE000'E104;    ///< Interrupt set-enable, interrupts 32 to 63.
inline constexpr std::uint32_t scb_icsr = 0xE000'ED04;      ///< Interrupt control and state.
inline constexpr std::uint32_t scb_cfsr = 0xE000'ED28;      ///< Configurable fault status.
inline constexpr std::uint32_t scb_hfsr = 0xE000'ED2C;      ///< HardFault status.
inline constexpr std::uint32_t scb_mmfar = 0xE000'ED34;     ///< MemManage fault address.
inline constexpr std::uint32_t scb_bfar = 0xE000'ED38;      ///< BusFault address.
inline constexpr std::uint32_t mpu_ctrl = 0xE000'ED94;      ///< MPU control.
inline constexpr std::uint32_t mpu_rbar = 0xE000'ED9C;      ///< MPU region base address.
inline constexpr std::uint32_t mpu_rasr = 0xE000'EDA0;      ///< MPU region attributes and size.
inline constexpr std::uint32_t systick_ctrl = 0xE000'E010;  ///< SysTick control and status.
inline constexpr std::uint32_t systick_load = 0xE000'E014;  ///< SysTick reload value.
inline constexpr std::uint32_t systick_val = 0xE000'E018;   ///< SysTick current value.

inline constexpr std::uint32_t icsr_systick_pending = bit(26);  ///< In scb_icsr: the SysTick exception is pending.

/// Sets one region of the memory protection unit. `region` is its number; a higher number has priority. The region
/// begins at `address` and has 2^`size_log2` bytes, aligned to its size. `access` has the attributes of mpu_rasr.
inline void protect(std::uint32_t region, std::uint32_t address, unsigned size_log2, std::uint32_t access) {
  constexpr std::uint32_t region_valid = bit(4);
  constexpr std::uint32_t region_enable = bit(0);
  reg(mpu_rbar) = address | region_valid | region;
  reg(mpu_rasr) = access | (size_log2 - 1) << 1 | region_enable;
}

inline constexpr std::uint32_t mpu_read_only = 6u << 24 | bit(17);             ///< For protect(): code and constants.
inline constexpr std::uint32_t mpu_read_write = bit(28) | 3u << 24 | bit(17);  ///< For protect(): data, not executed.
inline constexpr std::uint32_t mpu_no_access = bit(28);                        ///< For protect(): every access faults.

/// A part of the memory of a board: 2^`size_log2` bytes at `address`, a multiple of the size. `access` is mpu_read_only
/// or mpu_read_write.
struct MemoryRegion {
  std::uint32_t address;  ///< Its first byte.
  unsigned size_log2;     ///< At least 5.
  std::uint32_t access;   ///< As for protect().
};

/// Protects flash from writes, and all other memory below RAM from every access, but for `others`. The board has
/// 2^`flash_size_log2` bytes of flash at the address `flash`, a multiple of that size below 0x2000'0000, and RAM at
/// 0x2000'0000. A stack overflow and a write through a null pointer then also fault in an emulator, which ignores
/// accesses to missing memory. Uses the regions 0 and 1, and one more for each of `others`. An application can open
/// other memory below RAM with protect() and a higher region.
inline void protect_memory(unsigned flash_size_log2, std::uint32_t flash = 0,
                           std::span<const MemoryRegion> others = {}) {
  constexpr std::uint32_t enable = bit(0) | bit(2);   // Elsewhere as without an MPU
  protect(0, 0, 29, mpu_no_access);                   // The stack guard: everything below RAM
  protect(1, flash, flash_size_log2, mpu_read_only);  // Flash: a write through a null pointer faults
  std::uint32_t region = 2;
  for (const MemoryRegion& other : others) protect(region++, other.address, other.size_log2, other.access);
  reg(mpu_ctrl) = enable;
  asm volatile("dsb\n isb" ::: "memory");
}

}  // namespace board

/// The handler of all processor faults, for the vector table.
extern "C" [[noreturn]] void fault_handler();

#include <mcp/detail/epilogue.hpp>
