// SPDX-License-Identifier: Apache-2.0
// QEMU's Xtensa simulator with an LX106: its `simcall` takes a number in a2 and arguments from a3.
#include "chip.hpp"

namespace {

constexpr int sys_exit = 1;
constexpr int sys_read = 3;
constexpr int sys_write = 4;
constexpr std::uint32_t cycles_per_ms = 40'000;

int simcall(int number, int a = 0, const void* b = nullptr, std::size_t c = 0) {
  register int a2 asm("a2") = number;
  register int a3 asm("a3") = a;
  register const void* a4 asm("a4") = b;
  register std::size_t a5 asm("a5") = c;
  asm volatile("simcall" : "+r"(a2), "+r"(a3) : "r"(a4), "r"(a5) : "memory");
  return a2;
}

std::uint32_t cycles() {
  std::uint32_t value;
  asm volatile("rsr %0, ccount" : "=r"(value));
  return value;
}

}  // namespace

namespace chip {

std::size_t read(std::span<char> into) {
  const int size = simcall(sys_read, 0, into.data(), into.size());
  return size > 0 ? static_cast<std::size_t>(size) : 0;
}

void write(std::span<const char> from) { simcall(sys_write, 1, from.data(), from.size()); }

std::uint64_t microseconds() {
  static std::uint32_t before;
  static std::uint64_t all;
  const std::uint32_t now = cycles();
  all += now - before;
  before = now;
  return all / (cycles_per_ms / 1'000);
}

// Interrupts are off until `waiti` sleeps, so that the alarm cannot come before. An alarm that is late when it is set
// would come after all values of the counter. The vector switches the alarm off.
void sleep() {
  constexpr std::uint32_t timer = 1 << 6;
  const std::uint32_t start = cycles();
  std::uint32_t level;
  asm volatile(
      "rsil %0, 15\n"
      "wsr %1, ccompare0\n"
      "wsr %2, intenable\n"
      "esync"
      : "=&r"(level)
      : "r"(start + cycles_per_ms), "r"(timer)
      : "memory");
  if (cycles() - start < cycles_per_ms) {
    asm volatile("waiti 0" ::: "memory");
  } else {
    asm volatile("rsil %0, 0" : "=r"(level)::"memory");
  }
}

void end(int status) {
  simcall(sys_exit, status);
  for (;;) {
  }
}

}  // namespace chip

extern "C" [[noreturn, gnu::used]] void fault() { chip::end(101); }

// The vector for exceptions of the kernel is 0x30 bytes after VECBASE. Cause 4 is an interrupt: that of the alarm.
asm(R"(
  .section .vectors, "ax"
  .align 1024
vectors:
  .global _start
_start:
  j begin
  .align 4
stack_address: .word stack_top
vectors_address: .word vectors
start_address: .word start
fault_address: .word fault
  .org vectors + 0x30
  wsr a0, excsave1
  rsr a0, exccause
  bnei a0, 4, 1f
  movi a0, 0
  wsr a0, intenable
  rsr a0, excsave1
  rfe
1:
  l32r a0, fault_address
  jx a0
begin:
  l32r a1, stack_address
  l32r a2, vectors_address
  wsr a2, vecbase
  movi a2, 0
  wsr a2, intenable
  wsr a2, ps
  rsync
  l32r a0, start_address
  jx a0
  .text
)");
