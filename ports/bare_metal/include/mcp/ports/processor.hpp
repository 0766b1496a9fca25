// How drivers reach registers and the processor's interrupts, and how firmware asks an emulator or debugger for
// something (semihosting): for Cortex-M and RISC-V in machine mode. Knows no board.
#pragma once

#include <cstdint>

namespace board {

/// The 32-bit register at `address`.
inline volatile std::uint32_t& reg(std::uint32_t address) {
  return *reinterpret_cast<volatile std::uint32_t*>(address);  // NOLINT(performance-no-int-to-ptr)
}

constexpr std::uint32_t bit(unsigned number) { return std::uint32_t{1} << number; }

#ifdef __riscv

inline constexpr std::uint32_t mstatus_mie = bit(3);

inline void interrupts_off() { asm volatile("csrci mstatus, 8" ::: "memory"); }

/// Interrupts are off while this lives, and then as they were.
class InterruptsOff {
 public:
  InterruptsOff() { asm volatile("csrrci %0, mstatus, 8" : "=r"(was_on_)::"memory"); }
  ~InterruptsOff() { asm volatile("csrs mstatus, %0" ::"r"(was_on_ & mstatus_mie) : "memory"); }
  InterruptsOff(const InterruptsOff&) = delete;
  InterruptsOff& operator=(const InterruptsOff&) = delete;

 private:
  std::uint32_t was_on_;
};

/// Lets the processor stand still until an interrupt is pending, also when interrupts are off.
inline void wait_for_interrupt() { asm volatile("fence\n wfi" ::: "memory"); }

/// "RISC-V Semihosting": the breakpoint between two shifts that do nothing. Never inline: the three must be in one
/// page.
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

inline void interrupts_off() { asm volatile("cpsid i" ::: "memory"); }

/// Interrupts are off while this lives, and then as they were.
class InterruptsOff {
 public:
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

/// Lets the processor stand still until an interrupt is pending, also when interrupts are off.
inline void wait_for_interrupt() { asm volatile("dsb\n wfi" ::: "memory"); }

/// "Semihosting for AArch32 and AArch64".
inline std::uint32_t ask_host(std::uint32_t operation, const void* argument) {
  register std::uint32_t r0 asm("r0") = operation;
  register const void* r1 asm("r1") = argument;
  asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

#endif

[[noreturn]] inline void stand_still() {
  for (;;) {
    interrupts_off();
    wait_for_interrupt();
  }
}

}  // namespace board
