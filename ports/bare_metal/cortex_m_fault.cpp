// SPDX-License-Identifier: Apache-2.0
// The processor faults of a Cortex-M. Each one prints a line on the UART and ends in mcp_fault(), on a good stack.
//
// On hardware without a debugger, the breakpoint of semihosting is itself a fault. After board::exit(), the handler
// recognises it and sleeps. Inside the fault handler it locks up the processor until a reset or the watchdog.
#include "mcp/ports/cortex_m.hpp"
#include "ports/bare_metal/startup.hpp"

extern "C" const char mote_flash_start[];

namespace {

// Whether the fault is a BKPT without a debugger.
bool is_breakpoint([[maybe_unused]] std::uint32_t pc) {
#if __ARM_ARCH == 6
  // The processor has no registers for causes.
  constexpr std::uint16_t semihosting_breakpoint = 0xBEAB;
  const bool is_code = pc >= reinterpret_cast<std::uint32_t>(mote_flash_start) &&
                       pc < reinterpret_cast<std::uint32_t>(mote_init_array_end);
  if (!is_code || (pc & 1) != 0) return false;
  return *reinterpret_cast<const std::uint16_t*>(pc) == semihosting_breakpoint;  // NOLINT(performance-no-int-to-ptr)
#else
  constexpr std::uint32_t hfsr_debug_event = board::bit(31);
  return (board::reg(board::scb_hfsr) & hfsr_debug_event) != 0;
#endif
}

// A full stack has no space for PC and LR, so the processor loses them. The lowest word on the stack that is the return
// address of a direct call is then in the caller of the deepest function. An earlier call may have left a word of this
// kind, too.
std::uint32_t lowest_return_address() {
  constexpr std::uint32_t bl_prefix = 0b11110;  // "ARMv7-M Architecture Reference Manual", A7.7.18
  for (const std::uint32_t* word = mote_stack_bottom; word != mote_stack_top; ++word) {
    const std::uint32_t call = *word - 5;
    const bool is_code = call >= reinterpret_cast<std::uint32_t>(mote_flash_start) &&
                         call < reinterpret_cast<std::uint32_t>(mote_init_array_end);
    if ((call & 1) != 0 || !is_code) continue;
    const auto* code = reinterpret_cast<const std::uint16_t*>(call);  // NOLINT(performance-no-int-to-ptr)
    if (*code >> 11 == bl_prefix) return *word;
  }
  return 0;
}

}  // namespace

// `pc` and `lr` are 0 if the processor could not store them.
extern "C" [[noreturn, gnu::used]] void mote_fault(std::uint32_t pc, std::uint32_t lr) {
  using namespace board;
  if (is_breakpoint(pc)) stand_still();
  if (lr == 0) lr = lowest_return_address();
#if __ARM_ARCH == 6
  const std::uint32_t values[] = {pc, lr};
  report("\nmote: fault pc=0x\1 lr=0x\1\n", values);
#else
  const std::uint32_t values[] = {pc, lr, reg(scb_cfsr), reg(scb_hfsr), reg(scb_mmfar), reg(scb_bfar)};
  report("\nmote: fault pc=0x\1 lr=0x\1 cfsr=0x\1 hfsr=0x\1 mmfar=0x\1 bfar=0x\1\n", values);
#endif
  end_in_fault();
}

// No code may use the stack before the handler has switched to a good one, because the stack may be damaged. The
// handler first reads what the processor stored there (r0 to r3, r12, lr, pc, xpsr), if all of it is in RAM, because
// the good stack may overwrite it.
extern "C" [[gnu::naked]] void fault_handler() {
  asm volatile(
      ".syntax unified\n"
      "cpsid i\n"
      "movs r0, #0\n"
      "movs r1, #0\n"
      "mov r2, lr\n"
      "movs r3, #4\n"  // Which stack was in use
      "tst r2, r3\n"
      "bne 1f\n"
      "mrs r2, msp\n"
      "b 2f\n"
      "1: mrs r2, psp\n"
      "2: ldr r3, =mote_stack_bottom\n"
      "subs r2, r2, r3\n"
      "ldr r4, =mote_last_frame\n"
      "cmp r2, r4\n"
      "bhi 3f\n"
      "adds r2, r2, r3\n"
      "ldr r0, [r2, #24]\n"
      "ldr r1, [r2, #20]\n"
      "3: ldr r3, =mote_stack_top\n"
      "mov sp, r3\n"
      "bl mote_fault\n");
}
