// SPDX-License-Identifier: Apache-2.0
// Images that need more stack than they have, for toolchains/stack-bound: ATTACK hides the deep call, or the frame, in
// a way that reads like harmless code. Never run. The deepest call is also made near main(), where it fits, so that the
// address of its target has a caller in tests/stack-calls.
#include <cstdint>

extern "C" {
volatile int count;
void (*volatile pointer)();

[[gnu::noinline, gnu::used]] void deep() {
  volatile char bytes[1200];
  for (volatile char& byte : bytes) byte = 0;
}
[[gnu::noinline, gnu::used]] void shallow() { count = count + 1; }
}

namespace {

[[maybe_unused, gnu::noipa]] void call_named() { pointer(); }

#ifdef __riscv

// The two halves of an address are built in the wrong order of places.
[[maybe_unused]] void address_in_halves() {
  std::uintptr_t address = 0;
  asm volatile("j 2f\n 1: addi %0, %0, %%lo(deep)\n j 3f\n 2: lui %0, %%hi(deep)\n j 1b\n 3:" : "=r"(address));
  pointer = reinterpret_cast<void (*)()>(address);
  call_named();
}

// The same, relative to the program counter.
[[maybe_unused]] void address_by_page() {
  std::uintptr_t address = 0;
  asm volatile("j 2f\n 1: addi %0, %0, %%pcrel_lo(2f)\n j 3f\n 2: auipc %0, %%pcrel_hi(deep)\n j 1b\n 3:"
               : "=r"(address));
  pointer = reinterpret_cast<void (*)()>(address);
  call_named();
}

// A bound, a shift, a sum, a load and a jump, as in a switch: but the table has functions.
extern "C" [[gnu::naked, gnu::used]] void through_a_table() {
  asm volatile(
      ".section .rodata.functions, \"a\"\n .balign 4\n functions: .word deep, deep\n .previous\n"
      "li a5, 1\n bgtu a0, a5, 1f\n slli a0, a0, 2\n lui a5, %hi(functions)\n addi a5, a5, %lo(functions)\n"
      "add a0, a0, a5\n lw a0, 0(a0)\n jr a0\n 1: ret");
}
[[maybe_unused]] void table() { asm volatile("li a0, 1\n call through_a_table" ::: "ra", "a0", "a5", "memory"); }

[[maybe_unused]] void handler() { asm volatile("csrw mtvec, %0" ::"r"(deep)); }
[[maybe_unused]] void unknown_handler() { asm volatile("csrw mtvec, %0" ::"r"(pointer)); }

[[maybe_unused]] void moves_stack() { asm volatile("csrrw sp, mscratch, sp\n csrrw sp, mscratch, sp" ::: "memory"); }

// The stack pointer comes back from the frame pointer.
extern "C" [[gnu::naked, gnu::used]] void with_frame_pointer() {
  asm volatile(
      "addi sp, sp, -32\n sw ra, 28(sp)\n sw s0, 24(sp)\n addi s0, sp, 32\n call shallow\n"
      "addi sp, s0, -32\n lw ra, 28(sp)\n lw s0, 24(sp)\n addi sp, sp, 32\n ret");
}
[[maybe_unused]] void frame_pointer() { with_frame_pointer(); }

extern "C" void calls_untyped();
asm(".section .text.untyped, \"ax\"\n .type before_untyped, @function\n before_untyped: ret\n .size before_untyped, "
    ".-before_untyped\n"
    "untyped: addi sp, sp, -1200\n addi sp, sp, 1200\n ret\n"
    ".global calls_untyped\n .type calls_untyped, @function\n calls_untyped: addi sp, sp, -16\n sw ra, 12(sp)\n jal "
    "untyped\n"
    "lw ra, 12(sp)\n addi sp, sp, 16\n ret\n .size calls_untyped, .-calls_untyped\n .previous");

#else

#if __ARM_ARCH > 6
[[maybe_unused]] void address_in_halves() {
  std::uintptr_t address = 0;
  asm volatile("b 2f\n 1: movt %0, #:upper16:deep\n b 3f\n 2: movw %0, #:lower16:deep\n b 1b\n 3:" : "=r"(address));
  pointer = reinterpret_cast<void (*)()>(address);
  call_named();
}

extern "C" [[gnu::naked, gnu::used]] void through_a_table() {
  asm volatile("ldr r3, =functions\n ldr pc, [r3, r0, lsl #2]\n .balign 4\n functions: .word deep, deep");
}
[[maybe_unused]] void table() {
  asm volatile("movs r0, #1\n bl through_a_table" ::: "r0", "r1", "r2", "r3", "ip", "lr", "memory");
}

extern "C" [[gnu::naked, gnu::used]] void through_ldm() {
  asm volatile("ldr r3, =frame\n ldm r3, {r0, pc}\n .balign 4\n frame: .word 0, deep");
}
[[maybe_unused]] void load_multiple() {
  asm volatile("bl through_ldm" ::: "r0", "r1", "r2", "r3", "ip", "lr", "memory");
}

[[maybe_unused]] void moves_stack() {
  asm volatile("sub.w sp, sp, %0, lsl #3\n add.w sp, sp, %0, lsl #3" ::"r"(count) : "memory");
}
#endif

// As in a return of ARMv6-M, but the word is not the return address.
extern "C" [[gnu::naked, gnu::used]] void through_a_pop() {
  asm volatile(".syntax unified\n push {r4, lr}\n ldr r3, =deep\n push {r3}\n pop {r2}\n bx r2");
}
[[maybe_unused]] void popped() { asm volatile("bl through_a_pop" ::: "r0", "r1", "r2", "r3", "ip", "lr", "memory"); }

[[maybe_unused]] void other_stack() { asm volatile("msr msp, %0" ::"r"(count) : "memory"); }
[[maybe_unused]] void vector_table() { *reinterpret_cast<volatile std::uint32_t*>(0xE000'ED08) = 0x2000'0000; }

// The stack pointer comes back from the frame pointer.
[[maybe_unused, gnu::noinline, gnu::optimize("no-omit-frame-pointer")]] void frame_pointer() {
  volatile char bytes[200];
  for (volatile char& byte : bytes) byte = 0;
  shallow();
}

extern "C" void calls_untyped();
asm(".section .text.untyped, \"ax\"\n .thumb\n .syntax unified\n"
    ".type before_untyped, %function\n before_untyped: bx lr\n .size before_untyped, .-before_untyped\n"
    "untyped: sub sp, sp, #480\n sub sp, sp, #480\n sub sp, sp, #480\n add sp, sp, #480\n add sp, sp, #480\n add sp, "
    "sp, #480\n bx lr\n"
    ".global calls_untyped\n .thumb_func\n .type calls_untyped, %function\n calls_untyped: push {r4, lr}\n bl "
    "untyped\n pop {r4, pc}\n"
    ".size calls_untyped, .-calls_untyped\n .previous");

#endif

template <void (*attack)()>
[[maybe_unused, gnu::noinline]] void under_a_frame() {
  volatile char bytes[1000];
  for (volatile char& byte : bytes) byte = 0;
  attack();
  bytes[0] = 1;
}

}  // namespace

int main() {
#ifdef NEAR_MAIN
  pointer = deep;
  call_named();
#endif
  under_a_frame<ATTACK>();
  return count;
}
