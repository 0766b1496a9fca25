// Where a firmware ends: processor faults, failed assertions, and what the C++ library calls instead of throwing.
// Knows no driver: whatever is broken, this still works.
//
// Ending means semihosting: a BKPT that an emulator or a debugger answers. On hardware alone that BKPT is a fault
// itself: after board::exit() the fault handler recognises it and sleeps; inside the fault handler it locks the
// processor up, which stands still until a reset or the watchdog. An application that wants to come back by itself
// defines mcp_fault() (and mcp_assert_failed()).
#include <mcp/assert.hpp>

#include "ports/lm3s6965evb/board.hpp"
#include "ports/lm3s6965evb/internal.hpp"
#include "ports/lm3s6965evb/registers.hpp"

namespace {

// "Semihosting for AArch32 and AArch64": operation numbers, and the reason for SYS_EXIT_EXTENDED.
constexpr std::uint32_t sys_write0 = 0x04;
constexpr std::uint32_t sys_exit_extended = 0x20;
constexpr std::uint32_t stopped_application_exit = 0x2'0026;

constexpr std::uint32_t hfsr_debug_event = board::bit(31);  // A BKPT without a debugger

void semihosting(std::uint32_t operation, const void* argument) {
  register std::uint32_t r0 asm("r0") = operation;
  register const void* r1 asm("r1") = argument;
  asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
}

[[noreturn]] void stand_still() {
  for (;;) {
    board::interrupts_off();
    board::wait_for_interrupt();
  }
}

}  // namespace

extern "C" [[gnu::weak]] void mcp_fault() {}

extern "C" [[noreturn, gnu::used]] void mote_fault() {
  if ((board::reg(board::scb_hfsr) & hfsr_debug_event) != 0) stand_still();
  mcp_fault();
  board::exit(board::fault_status);
}

// Nothing may touch the stack before it is a good one again: it may be what is broken.
extern "C" [[gnu::naked]] void fault_handler() {
  asm volatile(
      "cpsid i\n"
      "ldr r0, =mote_stack_top\n"
      "mov sp, r0\n"
      "b mote_fault\n");
}

extern "C" [[gnu::weak]] void mcp_assert_failed(const char* file, int line) {
  char digits[12];  // ":" + ten digits + end
  char* text = digits + sizeof digits;
  *--text = '\0';
  for (auto rest = static_cast<unsigned>(line); text > digits + 1; rest /= 10) {
    *--text = static_cast<char>('0' + rest % 10);
    if (rest < 10) break;
  }
  *--text = ':';
  board::interrupts_off();
  semihosting(sys_write0, file);
  semihosting(sys_write0, text);
  semihosting(sys_write0, ": MCP_ASSERT failed\n");
  board::exit(board::assert_status);
}

namespace board {

void exit(int status) {
  const std::uint32_t argument[] = {stopped_application_exit, static_cast<std::uint32_t>(status)};
  semihosting(sys_exit_extended, argument);
  stand_still();
}

}  // namespace board

// What the library and the compiler call where there are no exceptions. Without these newlib's abort() would bring
// signals along, and libstdc++ is not there to be asked.
extern "C" [[noreturn]] void abort() { mcp_assert_failed("abort", 0); }
extern "C" [[noreturn]] void __cxa_pure_virtual() { mcp_assert_failed("__cxa_pure_virtual", 0); }

namespace std {
[[noreturn]] void __throw_logic_error(const char* what) { mcp_assert_failed(what, 0); }
[[noreturn]] void __throw_length_error(const char* what) { mcp_assert_failed(what, 0); }
[[noreturn]] void __throw_out_of_range(const char* what) { mcp_assert_failed(what, 0); }
[[noreturn]] void __throw_out_of_range_fmt(const char* what, ...) { mcp_assert_failed(what, 0); }
[[noreturn]] void __throw_invalid_argument(const char* what) { mcp_assert_failed(what, 0); }
[[noreturn]] void __throw_bad_function_call() { mcp_assert_failed("bad_function_call", 0); }
}  // namespace std
