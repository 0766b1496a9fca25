// SPDX-License-Identifier: Apache-2.0
// The millisecond clock and the alarm that ends a sleep: the timer of the processor, which counts 10 MHz and never
// stops.
#include "ports/boards/virt/virt_internal.hpp"

#include "mcp/ports/processor.hpp"
#include "ports/bare_metal/startup.hpp"

namespace board {
namespace {

// "RISC-V Advanced Core Local Interruptor": registers of the first processor, 64 bits in two words.
constexpr std::uint32_t mtimecmp = clint + 0x4000;
constexpr std::uint32_t mtime = clint + 0xBFF8;

constexpr std::uint32_t ticks_per_ms = 10'000;

struct Ticks {
  std::uint32_t low;
  std::uint32_t high;
};

Ticks now() {
  const std::uint32_t high = reg(mtime + 4);
  const std::uint32_t low = reg(mtime);
  const std::uint32_t high_after = reg(mtime + 4);
  // The lower word has just wrapped.
  return high == high_after ? Ticks{low, high} : Ticks{0, high_after};
}

}  // namespace

// Division with digits of 16 bits, because the division of 64 bits takes 1 KB of flash.
mcp::Millis millis() {
  const Ticks ticks = now();
  std::uint32_t rest = (ticks.high % ticks_per_ms) << 16 | ticks.low >> 16;
  const std::uint32_t upper = rest / ticks_per_ms;
  rest = (rest % ticks_per_ms) << 16 | (ticks.low & 0xFFFF);
  return (upper << 16) + rest / ticks_per_ms;
}

// 100 ns since power-on. Not by now(), which is then no longer inlined: 100 instructions for each byte of a UART.
std::uint32_t boot_noise() { return reg(mtime); }

void start_alarm(mcp::Millis after_ms) {
  const Ticks ticks = now();
  const std::uint64_t at = (std::uint64_t{ticks.high} << 32 | ticks.low) + std::uint64_t{after_ms} * ticks_per_ms;
  // Never a time between the old one and the new.
  reg(mtimecmp + 4) = 0xFFFF'FFFF;
  reg(mtimecmp) = static_cast<std::uint32_t>(at);
  reg(mtimecmp + 4) = static_cast<std::uint32_t>(at >> 32);
  is_alarm_set.store(true, std::memory_order_relaxed);
}

}  // namespace board

// It only has to end the sleep.
extern "C" void timer_handler() {
  board::reg(board::mtimecmp + 4) = 0xFFFF'FFFF;
  board::is_alarm_set.store(false, std::memory_order_relaxed);
}
