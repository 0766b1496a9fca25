// The processor faults of a Cortex-M. Every one ends in mcp_fault(), on a good stack.
//
// The breakpoint of semihosting is a fault itself on hardware alone: after board::exit() the handler recognises it and
// sleeps; inside the fault handler it locks the processor up, which stands still until a reset or the watchdog.
#include "mcp/ports/cortex_m.hpp"
#include "ports/bare_metal/startup.hpp"

namespace {

constexpr std::uint32_t hfsr_debug_event = board::bit(31);  // A BKPT without a debugger

}  // namespace

extern "C" [[noreturn, gnu::used]] void mote_fault() {
  if ((board::reg(board::scb_hfsr) & hfsr_debug_event) != 0) board::stand_still();
  board::end_in_fault();
}

// Nothing may touch the stack before it is a good one again: it may be what is broken.
extern "C" [[gnu::naked]] void fault_handler() {
  asm volatile(
      "cpsid i\n"
      "ldr r0, =mote_stack_top\n"
      "mov sp, r0\n"
      "b mote_fault\n");
}
