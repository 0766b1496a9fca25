// SPDX-License-Identifier: Apache-2.0
// The millisecond clock and the alarm that ends a sleep: timer 0 counts 160 s at a time, and timer 1 ends a sleep that
// has a limit. Both belong to this file.
#include <algorithm>
#include <atomic>

#include "ports/bare_metal/startup.hpp"
#include "ports/boards/mps2_an385/mps2_registers.hpp"

namespace board {
namespace {

// "Cortex-M System Design Kit Technical Reference Manual", APB timer: offsets.
constexpr std::uint32_t timer_control = 0x0;
constexpr std::uint32_t timer_value = 0x4;
constexpr std::uint32_t timer_reload = 0x8;  // Written: the value as well
constexpr std::uint32_t timer_status = 0xC;  // Interrupt; a 1 written clears it
constexpr std::uint32_t control_enable = bit(0);
constexpr std::uint32_t control_interrupt = bit(3);

constexpr std::uint32_t cycles_per_ms = core_clock_hz / 1000;
constexpr mcp::Millis period_ms = 160'000;  // The timers have 32 bits: up to 171 s
constexpr std::uint32_t reload = period_ms * cycles_per_ms - 1;

std::atomic<mcp::Millis> period_start_ms;

}  // namespace

void start_clock() {
  reg(timer0 + timer_reload) = reload;
  reg(timer0 + timer_control) = control_enable | control_interrupt;
  reg(nvic_iser0) = bit(timer0_interrupt) | bit(timer1_interrupt);
}

mcp::Millis millis() {
  const InterruptsOff guard;
  // The counter starts again before its handler has counted the period: then the interrupt waits.
  std::uint32_t left = reg(timer0 + timer_value);
  mcp::Millis start_ms = period_start_ms.load(std::memory_order_relaxed);
  if ((reg(timer0 + timer_status) & 1) != 0) {
    left = reg(timer0 + timer_value);
    start_ms += period_ms;
    if (left == 0) return start_ms;  // it is 0 for a cycle before it is loaded
  }
  return start_ms + (reload - std::min(left, reload)) / cycles_per_ms;
}

// 40 ns, of 160 s.
std::uint32_t boot_noise() { return reg(timer0 + timer_value); }

void start_alarm(mcp::Millis after_ms) {
  reg(timer1 + timer_control) = 0;
  reg(timer1 + timer_reload) = std::max<mcp::Millis>(std::min(after_ms, period_ms), 1) * cycles_per_ms;
  reg(timer1 + timer_control) = control_enable | control_interrupt;
  is_alarm_set.store(true, std::memory_order_relaxed);
}

}  // namespace board

extern "C" void timer0_handler() {
  using namespace board;
  reg(timer0 + timer_status) = 1;
  period_start_ms.store(period_start_ms.load(std::memory_order_relaxed) + period_ms, std::memory_order_relaxed);
}

// It only has to end the sleep, once.
extern "C" void timer1_handler() {
  using namespace board;
  reg(timer1 + timer_control) = 0;
  reg(timer1 + timer_status) = 1;
  is_alarm_set.store(false, std::memory_order_relaxed);
}
