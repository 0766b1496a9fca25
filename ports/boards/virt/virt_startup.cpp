// SPDX-License-Identifier: Apache-2.0
// From reset to main(), and from a trap to its handler. Knows no driver.
#include "ports/bare_metal/startup.hpp"

#include "mcp/ports/processor.hpp"
#include "mcp/ports/virt.hpp"
#include "ports/boards/virt/virt_internal.hpp"

namespace {

// "The RISC-V Instruction Set Manual, Volume II": causes of traps, the bits of mie, the fields of pmpcfg.
constexpr std::uint32_t cause_interrupt = board::bit(31);
constexpr std::uint32_t cause_breakpoint = 3;
constexpr std::uint32_t software_interrupt = 3;
constexpr std::uint32_t timer_interrupt = 7;
constexpr std::uint32_t external_interrupt = 11;
constexpr std::uint32_t pmp_read_execute_locked = 1 | 4 | 0x80;  // Locked: also for machine mode
constexpr std::uint32_t pmp_power_of_two = 3 << 3;
constexpr std::uint32_t flash_start = 0x8000'0000;
constexpr std::uint32_t flash_size = 0x10'0000;

// Code, constants and the memory below the stack cannot be written.
void protect_memory() {
  asm volatile("csrw pmpaddr0, %0" ::"r"(flash_start >> 2 | ((flash_size >> 3) - 1)));
  asm volatile("csrw pmpcfg0, %0" ::"r"(pmp_read_execute_locked | pmp_power_of_two) : "memory");
}

void interrupts_on() {
  constexpr std::uint32_t kinds =
      board::bit(software_interrupt) | board::bit(timer_interrupt) | board::bit(external_interrupt);
  asm volatile("csrs mie, %0" ::"r"(kinds));
  asm volatile("csrsi mstatus, 8" ::: "memory");
}

}  // namespace

extern "C" [[gnu::weak]] void software_interrupt_handler();
extern "C" void external_interrupt_handler();

extern "C" [[noreturn, gnu::used]] void mote_start() {
  board::begin_memory();
  protect_memory();
  timer_handler();
  interrupts_on();
  board::run();
}

// A trap inside mote_fault(): the report, mcp_fault(), or the breakpoint that ends the image.
extern "C" [[noreturn, gnu::used]] void mote_second_fault(std::uint32_t cause) {
  if (cause == cause_breakpoint) board::stand_still();
  board::exit(board::fault_status);
}

extern "C" [[gnu::naked, gnu::used, gnu::aligned(4)]] void mote_second_trap() {
  asm volatile(
      "la sp, mote_stack_top\n"
      "csrr a0, mcause\n"
      "j mote_second_fault\n");
}

// The semihosting breakpoint of board::exit() is a trap itself if no emulator or debugger takes it.
extern "C" [[noreturn, gnu::used]] void mote_fault(std::uint32_t cause, std::uint32_t ra) {
  if (cause == cause_breakpoint) board::stand_still();
  asm volatile("csrw mtvec, %0" ::"r"(mote_second_trap));
  std::uint32_t mepc;
  std::uint32_t mtval;
  asm volatile("csrr %0, mepc" : "=r"(mepc));
  asm volatile("csrr %0, mtval" : "=r"(mtval));
  const std::uint32_t values[] = {mepc, ra, cause, mtval};
  board::report("\nmote: fault mepc=0x\1 ra=0x\1 mcause=0x\1 mtval=0x\1\n", values);
  board::end_in_fault();
}

// The other interrupts. `saved` is the registers that mote_trap() has stored: ra first.
extern "C" [[gnu::used]] void mote_interrupt(std::uint32_t cause, const std::uint32_t* saved) {
  if ((cause & ~cause_interrupt) == timer_interrupt) return timer_handler();
  if (software_interrupt_handler == nullptr) {
    register std::uint32_t a0 asm("a0") = cause;
    register std::uint32_t a1 asm("a1") = saved[0];
    asm volatile("la sp, mote_stack_top\n j mote_fault\n" ::"r"(a0), "r"(a1));
    __builtin_unreachable();
  }
  board::reg(board::clint) = 0;
  software_interrupt_handler();
}

// A fault handler must not use the stack before it has switched to a good one, because the stack may be damaged. An
// interrupt saves the registers that a function may change. An external interrupt goes to its handler directly:
// mote_interrupt() would add 22 instructions to each byte of the UART.
extern "C" [[gnu::naked, gnu::used, gnu::aligned(4)]] void mote_trap() {
  asm volatile(
      "csrw mscratch, t0\n"
      "csrr t0, mcause\n"
      "bgez t0, 1f\n"
      "csrr t0, mscratch\n"
      "addi sp, sp, -64\n"
      "sw ra, 0(sp)\n sw t0, 4(sp)\n sw t1, 8(sp)\n sw t2, 12(sp)\n"
      "sw a0, 16(sp)\n sw a1, 20(sp)\n sw a2, 24(sp)\n sw a3, 28(sp)\n"
      "sw a4, 32(sp)\n sw a5, 36(sp)\n sw a6, 40(sp)\n sw a7, 44(sp)\n"
      "sw t3, 48(sp)\n sw t4, 52(sp)\n sw t5, 56(sp)\n sw t6, 60(sp)\n"
      "csrr a0, mcause\n"
      "mv a1, sp\n"
      "slli t0, a0, 1\n"  // without the bit for interrupts
      "li t1, 2 * 11\n"   // external_interrupt
      "bne t0, t1, 2f\n"
      "call external_interrupt_handler\n"
      "j 3f\n"
      "2: call mote_interrupt\n"
      "3: lw ra, 0(sp)\n lw t0, 4(sp)\n lw t1, 8(sp)\n lw t2, 12(sp)\n"
      "lw a0, 16(sp)\n lw a1, 20(sp)\n lw a2, 24(sp)\n lw a3, 28(sp)\n"
      "lw a4, 32(sp)\n lw a5, 36(sp)\n lw a6, 40(sp)\n lw a7, 44(sp)\n"
      "lw t3, 48(sp)\n lw t4, 52(sp)\n lw t5, 56(sp)\n lw t6, 60(sp)\n"
      "addi sp, sp, 64\n"
      "mret\n"
      "1: mv a0, t0\n"
      "mv a1, ra\n"
      "la sp, mote_stack_top\n"
      "j mote_fault\n");
}

// Where the board begins: the linker script puts it first in memory.
extern "C" [[gnu::naked, gnu::used, gnu::section(".start")]] void _start() {
  asm volatile(
      ".option push\n .option norelax\n la gp, __global_pointer$\n .option pop\n"
      "la sp, mote_stack_top\n"
      "la t0, mote_trap\n"
      "csrw mtvec, t0\n"
      "j mote_start\n");
}
