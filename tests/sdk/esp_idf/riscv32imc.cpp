// SPDX-License-Identifier: Apache-2.0
// QEMU's riscv32 virt: UART, timer and end of the emulator.
#include "chip.hpp"

namespace {

constexpr std::uint32_t uart_data = 0x1000'0000;
constexpr std::uint32_t uart_status = 0x1000'0005;
constexpr std::uint8_t status_received = 0x01;
constexpr std::uint8_t status_transmit_empty = 0x20;
constexpr std::uint32_t mtimecmp = 0x0200'4000;
constexpr std::uint32_t mtime = 0x0200'BFF8;
constexpr std::uint32_t ticks_per_ms = 10'000;
constexpr std::uint32_t test_device = 0x0010'0000;
constexpr std::uint32_t test_failed = 0x3333;

template <typename Register>
volatile Register& at(std::uint32_t address) {
  return *reinterpret_cast<volatile Register*>(address);
}

std::uint64_t ticks() {
  for (;;) {
    const std::uint32_t high = at<std::uint32_t>(mtime + 4);
    const std::uint32_t low = at<std::uint32_t>(mtime);
    if (at<std::uint32_t>(mtime + 4) == high) return std::uint64_t{high} << 32 | low;
  }
}

}  // namespace

namespace chip {

std::size_t read(std::span<char> into) {
  std::size_t size = 0;
  while (size < into.size() && (at<std::uint8_t>(uart_status) & status_received) != 0) {
    into[size++] = static_cast<char>(at<std::uint8_t>(uart_data));
  }
  return size;
}

void write(std::span<const char> from) {
  for (const char byte : from) {
    while ((at<std::uint8_t>(uart_status) & status_transmit_empty) == 0) {
    }
    at<std::uint8_t>(uart_data) = static_cast<std::uint8_t>(byte);
  }
}

std::uint64_t microseconds() { return ticks() / (ticks_per_ms / 1'000); }

// A pending interrupt ends `wfi` although mstatus has all interrupts off.
void sleep() {
  const std::uint64_t end = ticks() + ticks_per_ms;
  at<std::uint32_t>(mtimecmp + 4) = 0xFFFF'FFFF;
  at<std::uint32_t>(mtimecmp) = static_cast<std::uint32_t>(end);
  at<std::uint32_t>(mtimecmp + 4) = static_cast<std::uint32_t>(end >> 32);
  constexpr std::uint32_t timer = 1 << 7;
  asm volatile("csrs mie, %0\n wfi" ::"r"(timer) : "memory");
}

void end(int status) {
  at<std::uint32_t>(test_device) = static_cast<std::uint32_t>(status) << 16 | test_failed;
  for (;;) {
  }
}

}  // namespace chip

extern "C" [[noreturn, gnu::used]] void fault() { chip::end(101); }

extern "C" [[gnu::naked, gnu::used, gnu::section(".start")]] void _start() {
  asm volatile(
      ".option push\n .option norelax\n la gp, __global_pointer$\n .option pop\n"
      "la sp, mote_stack_top\n"
      "la t0, fault\n"
      "csrw mtvec, t0\n"
      "j start\n");
}
