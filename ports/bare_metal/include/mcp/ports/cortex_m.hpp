// What boards with a Cortex-M3 or M4 share: the registers of the processor, its memory protection, its fault handler.
// Knows no board.
#pragma once

#include <cstdint>

#include "mcp/ports/processor.hpp"

namespace board {

// ARMv7-M Architecture Reference Manual, "System Control Space".
inline constexpr std::uint32_t nvic_iser0 = 0xE000'E100;  // Interrupt set-enable, interrupts 0 to 31
inline constexpr std::uint32_t nvic_iser1 = 0xE000'E104;  // 32 to 63
inline constexpr std::uint32_t scb_icsr = 0xE000'ED04;    // Interrupt control and state
inline constexpr std::uint32_t scb_cfsr = 0xE000'ED28;    // Configurable fault status
inline constexpr std::uint32_t scb_hfsr = 0xE000'ED2C;    // HardFault status
inline constexpr std::uint32_t scb_mmfar = 0xE000'ED34;   // MemManage fault address
inline constexpr std::uint32_t scb_bfar = 0xE000'ED38;    // BusFault address
inline constexpr std::uint32_t mpu_ctrl = 0xE000'ED94;
inline constexpr std::uint32_t mpu_rbar = 0xE000'ED9C;
inline constexpr std::uint32_t mpu_rasr = 0xE000'EDA0;
inline constexpr std::uint32_t systick_ctrl = 0xE000'E010;
inline constexpr std::uint32_t systick_load = 0xE000'E014;
inline constexpr std::uint32_t systick_val = 0xE000'E018;

inline constexpr std::uint32_t icsr_systick_pending = bit(26);

/// One region of the "Memory Protection Unit": an aligned power of two of bytes. Later ones win over earlier ones.
inline void protect(std::uint32_t region, std::uint32_t address, unsigned size_log2, std::uint32_t access) {
  constexpr std::uint32_t region_valid = bit(4);
  constexpr std::uint32_t region_enable = bit(0);
  reg(mpu_rbar) = address | region_valid | region;
  reg(mpu_rasr) = access | (size_log2 - 1) << 1 | region_enable;
}

/// For boards with flash at 0 and RAM at 0x2000'0000. Addresses where there is nothing fault on hardware by themselves,
/// but emulated boards ignore such accesses: the two mistakes that matter fault in both.
inline void protect_memory(unsigned flash_size_log2) {
  constexpr std::uint32_t no_access = bit(28);             // Not to be executed either
  constexpr std::uint32_t read_only = 6u << 24 | bit(17);  // Cacheable, as flash is by default
  constexpr std::uint32_t enable = bit(0) | bit(2);        // Elsewhere as without an MPU
  protect(0, 0x1000'0000, 28, no_access);                  // The stack guard: everything below RAM
  protect(1, 0, flash_size_log2, read_only);               // Flash: a write through a null pointer faults
  reg(mpu_ctrl) = enable;
  asm volatile("dsb\n isb" ::: "memory");
}

}  // namespace board

/// Where every processor fault ends (cortex_m_fault.cpp); for the vector table.
extern "C" [[noreturn]] void fault_handler();
