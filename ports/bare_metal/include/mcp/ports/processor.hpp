// SPDX-License-Identifier: Apache-2.0
/// @file
/// Registers, interrupts and semihosting for drivers, on Cortex-M and on RISC-V in machine mode.
/// @code
/// void toggle_led() {
///   constexpr std::uint32_t gpio_data = 0x4002'5004;
///   const board::InterruptsOff off;
///   board::reg(gpio_data) = board::reg(gpio_data) ^ board::bit(0);
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>

namespace board {

/// Returns the 32-bit register at `address`.
inline volatile std::uint32_t& reg(std::uint32_t address) {
  return *reinterpret_cast<volatile std::uint32_t*>(address);  // NOLINT(performance-no-int-to-ptr)
}

/// Returns a value in which only bit `number` (0 to 31) is set.
constexpr std::uint32_t bit(unsigned number) { return std::uint32_t{1} << number; }

#ifdef __riscv

/// In mstatus: interrupts are enabled.
inline constexpr std::uint32_t mstatus_mie = bit(3);

/// Disables interrupts.
inline void interrupts_off() { asm volatile("csrci mstatus, 8" ::: "memory"); }

/// Disables interrupts while the object exists. The destructor restores the previous state.
class InterruptsOff {
 public:
  /// Disables interrupts.
  InterruptsOff() { asm volatile("csrrci %0, mstatus, 8" : "=r"(was_on_)::"memory"); }
  ~InterruptsOff() { asm volatile("csrs mstatus, %0" ::"r"(was_on_ & mstatus_mie) : "memory"); }
  InterruptsOff(const InterruptsOff&) = delete;
  InterruptsOff& operator=(const InterruptsOff&) = delete;

 private:
  std::uint32_t was_on_;
};

/// Sleeps until an interrupt is pending, also while interrupts are disabled.
inline void wait_for_interrupt() { asm volatile("fence\n wfi" ::: "memory"); }

/// Calls the host of an emulator or debugger. `operation` and `argument` are those of semihosting. Never inline,
/// because the breakpoint and the two shifts around it must be in one page. Source: "RISC-V Semihosting".
[[gnu::noinline]] inline std::uint32_t ask_host(std::uint32_t operation, const void* argument) {
  register std::uint32_t a0 asm("a0") = operation;
  register const void* a1 asm("a1") = argument;
  asm volatile(
      ".option push\n .option norvc\n .balign 16\n"
      "slli zero, zero, 0x1f\n ebreak\n srai zero, zero, 7\n"
      ".option pop"
      : "+r"(a0)
      : "r"(a1)
      : "memory");
  return a0;
}

#else

/// Disables interrupts.
inline void interrupts_off() { asm volatile("cpsid i" ::: "memory"); }

/// Disables interrupts while the object exists. The destructor restores the previous state.
class InterruptsOff {
 public:
  /// Disables interrupts.
  InterruptsOff() {
    asm volatile("mrs %0, primask" : "=r"(was_off_));
    interrupts_off();
  }
  ~InterruptsOff() { asm volatile("msr primask, %0" ::"r"(was_off_) : "memory"); }
  InterruptsOff(const InterruptsOff&) = delete;
  InterruptsOff& operator=(const InterruptsOff&) = delete;

 private:
  std::uint32_t was_off_;
};

/// Sleeps until an interrupt is pending, also while interrupts are disabled.
inline void wait_for_interrupt() { asm volatile("dsb\n wfi" ::: "memory"); }

/// Calls the host of an emulator or debugger. `operation` and `argument` are those of semihosting.
/// Source: "Semihosting for AArch32 and AArch64".
inline std::uint32_t ask_host(std::uint32_t operation, const void* argument) {
  register std::uint32_t r0 asm("r0") = operation;
  register const void* r1 asm("r1") = argument;
  asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

#endif

/// Disables interrupts, and sleeps until reset.
[[noreturn]] inline void stand_still() {
  for (;;) {
    interrupts_off();
    wait_for_interrupt();
  }
}

}  // namespace board

#include <mcp/detail/epilogue.hpp>
