// SPDX-License-Identifier: Apache-2.0
// The millisecond clock and the alarm of a board without a tick, both by SysTick. For ports only.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "mcp/ports/cortex_m.hpp"
#include "ports/bare_metal/startup.hpp"

namespace board {

/// A clock of milliseconds, and an alarm. SysTick counts `ticks_per_ms` of its reference clock. It interrupts at the
/// end of its counter of 24 bits, and at an alarm before this end. Such an alarm makes the clock late by at most one
/// tick. Limits: the clock is late after interrupts were off for longer than `longest_ms`. Source: ARMv7-M Architecture
/// Reference Manual, "The system timer, SysTick".
template <std::uint32_t ticks_per_ms>
class SystickClock {
 public:
  /// The time until the counter ends, in milliseconds.
  static constexpr mcp::Millis longest_ms = (1U << 24) / ticks_per_ms;

  /// Starts SysTick. Context: once, before the other functions.
  void start() {
    constexpr std::uint32_t count_and_interrupt = bit(0) | bit(1);
    reg(systick_load) = longest_period - 1;
    reg(systick_ctrl) = count_and_interrupt;
    begin_period(longest_period);
  }

  /// Returns the milliseconds since start(). They wrap at 2^32. Context: any; never blocks.
  mcp::Millis millis() {
    const InterruptsOff guard;
    const Moment now = look();
    return now.start_ms + now.ticks / ticks_per_ms;
  }

  /// Causes an interrupt in `after_ms` milliseconds, or earlier. Context: interrupts are off; blocks for two ticks.
  void start_alarm(mcp::Millis after_ms) {
    is_alarm_set.store(true, std::memory_order_relaxed);
    const std::uint32_t after_ticks = std::clamp<mcp::Millis>(after_ms, 1, longest_ms + 1) * ticks_per_ms;
    const Moment now = look();
    if (now.left <= after_ticks) return;
    // The counter takes its new value at the next tick.
    start_ms_ = now.start_ms;
    start_ticks_ = now.ticks;
    pass(1);
    begin_period(after_ticks);
  }

  /// The handler of SysTick calls it. Context: interrupt.
  void end_period() {
    pass(period_);
    period_ = longest_period;
    is_alarm_set.store(false, std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint32_t longest_period = 1U << 24;
  // One turn on hardware; in an emulator the host may take its time.
  static constexpr std::uint32_t load_turns = 5'000'000;

  struct Moment {
    mcp::Millis start_ms;  // of the period
    std::uint32_t ticks;   // since then
    std::uint32_t left;    // until the next interrupt
  };

  Moment look() const {
    const std::uint32_t left = reg(systick_val);
    if ((reg(scb_icsr) & icsr_systick_pending) == 0) {
      return {start_ms_, start_ticks_ + (period_ - 1 - left), left};
    }
    // The counter has begun its next period, and the handler has not yet counted the last one. It is 0 for a tick
    // before it is loaded.
    const std::uint32_t next_left = reg(systick_val);
    const std::uint32_t next_ticks = next_left == 0 ? 0 : longest_period - 1 - next_left;
    return {start_ms_, start_ticks_ + period_ + next_ticks, 0};
  }

  void pass(std::uint32_t ticks) {
    start_ticks_ += ticks;
    start_ms_ += start_ticks_ / ticks_per_ms;
    start_ticks_ %= ticks_per_ms;
  }

  // The counter takes the longest period after this one.
  void begin_period(std::uint32_t ticks) {
    period_ = ticks;
    reg(systick_load) = ticks - 1;
    reg(systick_val) = 0;
    // The counter is 0, which reads as the end of a period, until the next tick has loaded it.
    for (std::uint32_t turns = 0; turns < load_turns && reg(systick_val) == 0; ++turns) asm volatile("");
    reg(systick_load) = longest_period - 1;
  }

  mcp::Millis start_ms_ = 0;       // Whole milliseconds of the time at which the period has begun,
  std::uint32_t start_ticks_ = 0;  // and the ticks after them
  std::uint32_t period_ = longest_period;
};

}  // namespace board
