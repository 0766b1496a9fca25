// SPDX-License-Identifier: Apache-2.0
// From reset to main() on a Cortex-M: the vector table, memory as C++ expects it, the clock. For the
// start-up files of its boards alone. Knows no driver but the clock.
//
// An interrupt handler is an extern "C" function with a name from the board's table. All run at the same priority, so
// none interrupts another. An interrupt that is on without a handler jumps to address 0, which is a processor fault.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/ports/cortex_m.hpp"
#include "ports/bare_metal/startup.hpp"

extern "C" {
[[noreturn]] void reset_handler();
[[gnu::weak]] void nmi_handler();
[[gnu::weak]] void svcall_handler();
[[gnu::weak]] void pendsv_handler();
[[gnu::weak]] void systick_handler();
}

namespace board {

/// With the board's `interrupts`, from 0 on. The linker script puts it at the begin of flash, where the processor reads
/// it after a reset: flash at another address than 0 is also visible at 0 then. MemManage, bus and usage fault
/// stay switched off in the processor, which makes each of them a hard fault.
template <std::size_t count>
struct VectorTable {
  std::uint32_t* stack = mote_stack_top;
  // 1 to 15.
  void (*exceptions[15])() = {reset_handler,  nmi_handler,   fault_handler, fault_handler,  fault_handler,
                              fault_handler,  nullptr,       nullptr,       nullptr,        nullptr,
                              svcall_handler, fault_handler, nullptr,       pendsv_handler, systick_handler};
  void (*interrupts[count])();
};

/// Enables the floating-point unit that the compiler uses.
inline void enable_float_unit() {
#ifdef __ARM_FP
  constexpr std::uint32_t scb_cpacr = 0xE000'ED88;  // Access to coprocessors
  reg(scb_cpacr) = reg(scb_cpacr) | 0xFu << 20;
  asm volatile("dsb\n isb" ::: "memory");
#endif
}

/// The reset handler of a board whose processor has no memory protection unit, such as a Cortex-M0.
[[noreturn]] inline void start() {
  begin_memory();
  start_clock();
  run();
}

/// The reset handler of a board with 2^`flash_size_log2` bytes of flash at the address `flash`, and with `others`
/// (protect_memory()).
[[noreturn]] inline void start(unsigned flash_size_log2, std::uint32_t flash = 0,
                               std::span<const MemoryRegion> others = {}) {
  enable_float_unit();
  begin_memory();
  protect_memory(flash_size_log2, flash, others);
  start_clock();
  run();
}

}  // namespace board
