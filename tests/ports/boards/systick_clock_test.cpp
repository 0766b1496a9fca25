// SPDX-License-Identifier: Apache-2.0
// The clock by SysTick against an imitation of its counter, whose time is exact.
#include "ports/bare_metal/systick_clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

#include "registers.hpp"

namespace {

constexpr std::uint32_t ticks_per_ms = 21'000;
constexpr std::uint64_t period = 1U << 24;

struct Chip {
  std::uint32_t load = 0;
  std::uint32_t value = 12'345;
  std::uint32_t control = 0;
  bool is_pending = false;
  std::uint64_t now = 0;  // ticks
  unsigned interrupts = 0;
  std::uint32_t ticks_per_access = 0;
};
Chip chip;

class SystickClock : public testing::Test {
 protected:
  board::SystickClock<ticks_per_ms> clock;

  SystickClock() {
    chip = {};
    imitate({.read = read, .write = write, .wake_from_isr = {}, .millis = {}, .micros = {}});
    clock.start();
    EXPECT_EQ(chip.control, 3U);
    chip.now = 0;
    chip.is_pending = false;
  }

  static void count(std::uint64_t ticks) {
    chip.now += ticks;
    while (ticks != 0 && (chip.control & 1) != 0) {
      if (chip.value == 0) {
        chip.value = chip.load;
        --ticks;
        continue;
      }
      const auto step = static_cast<std::uint32_t>(std::min<std::uint64_t>(ticks, chip.value));
      chip.value -= step;
      ticks -= step;
      chip.is_pending |= chip.value == 0;
    }
  }

  static std::uint32_t read(std::uint32_t address) {
    count(chip.ticks_per_access);
    if (address == board::scb_icsr) return chip.is_pending ? board::icsr_systick_pending : 0;
    EXPECT_EQ(address, board::systick_val);
    const std::uint32_t value = chip.value;
    if (value == 0 && chip.ticks_per_access == 0) count(1);
    return value;
  }

  static void write(std::uint32_t address, std::uint32_t value) {
    count(chip.ticks_per_access);
    switch (address) {
      case board::systick_ctrl: chip.control = value; break;
      case board::systick_load: chip.load = value; break;
      case board::systick_val: chip.value = 0; break;
      default: ADD_FAILURE() << std::hex << address;
    }
  }

  // A handler begins after 12 cycles, and a tick has 8.
  void handle() {
    if (!chip.is_pending) return;
    count(2);
    chip.is_pending = false;
    ++chip.interrupts;
    clock.end_period();
  }

  // The time until the next interrupt, in ticks. Handles it.
  std::uint64_t sleep() {
    const std::uint64_t begin = chip.now;
    while (!chip.is_pending) count(1);
    handle();
    return chip.now - begin;
  }
};

TEST_F(SystickClock, CountsOverTheEndOfItsCounterBeforeAndAfterTheHandler) {
  for (const std::uint64_t end : {period, 2 * period, 3 * period}) {
    for (std::uint64_t at = end - 50; at != end + 50; ++at) {
      count(at - chip.now);
      // It is late by the reads of a counter that has not been loaded.
      EXPECT_LE(clock.millis(), chip.now / ticks_per_ms);
      EXPECT_GE(clock.millis(), (chip.now - 2) / ticks_per_ms);
    }
    EXPECT_TRUE(chip.is_pending);
    handle();
    EXPECT_EQ(clock.millis(), chip.now / ticks_per_ms);
  }
  EXPECT_EQ(chip.interrupts, 3U);
}

TEST_F(SystickClock, InterruptsOncePerEndOfItsCounterWithoutAnAlarm) {
  while (chip.now < 60'000ULL * ticks_per_ms) {
    count(1'000);
    handle();
  }
  EXPECT_EQ(chip.interrupts, 75U);
}

TEST_F(SystickClock, TheMillisecondsWrap) {
  constexpr std::uint64_t periods = (1ULL << 32) * ticks_per_ms / period - 1;
  for (std::uint64_t i = 0; i != periods; ++i) clock.end_period();
  const std::uint64_t start = periods * period;
  EXPECT_EQ(clock.millis(), static_cast<mcp::Millis>(start / ticks_per_ms));
  EXPECT_GT(clock.millis(), 0xFFFF'F000U);
  count(period - 100);
  EXPECT_EQ(clock.millis(), static_cast<mcp::Millis>((start + chip.now) / ticks_per_ms));
  EXPECT_GT(clock.millis(), 0xFFFF'F000U);
  count(200);
  handle();
  EXPECT_EQ(clock.millis(), 0U);
}

TEST_F(SystickClock, AnAlarmEndsASleepAtItsTime) {
  count(5'000);
  clock.start_alarm(100);
  EXPECT_TRUE(board::is_alarm_set);
  EXPECT_EQ(sleep(), 100U * ticks_per_ms + 1);
  EXPECT_FALSE(board::is_alarm_set);
  EXPECT_EQ(clock.millis(), 100U);
  // The next period is a long one again.
  EXPECT_EQ(sleep(), period);
}

TEST_F(SystickClock, AnAlarmInZeroMillisecondsIsOneInAMillisecond) {
  clock.start_alarm(0);
  EXPECT_EQ(sleep(), ticks_per_ms + 1U);
}

TEST_F(SystickClock, AnAlarmAfterTheEndOfTheCounterLeavesItAlone) {
  for (const mcp::Millis after_ms : {799U, 800U, 5'000U, 0xFFFF'FFFEU}) {
    clock.start_alarm(after_ms);
    EXPECT_TRUE(board::is_alarm_set);
    const std::uint64_t slept = sleep();
    EXPECT_TRUE(slept == period || slept == period + 1) << slept;  // the first one begins with the counter loaded
    EXPECT_FALSE(board::is_alarm_set);
  }
}

TEST_F(SystickClock, APendingInterruptIsTheAlarm) {
  count(period + 10);
  clock.start_alarm(5);
  EXPECT_TRUE(chip.is_pending);
  EXPECT_LE(sleep(), 2U);
  EXPECT_EQ(clock.millis(), chip.now / ticks_per_ms);
}

TEST_F(SystickClock, ALaterAlarmWaitsForTheEarlierOne) {
  clock.start_alarm(10);
  clock.start_alarm(20);
  EXPECT_EQ(sleep() / ticks_per_ms, 10U);
}

// Each access takes a tick here, which is eight times as long as on hardware.
TEST_F(SystickClock, IsLateByAFewTicksPerAlarmAndNeverGoesBack) {
  chip.ticks_per_access = 1;
  std::mt19937 random(1);
  mcp::Millis last_ms = 0;
  constexpr unsigned alarms = 10'000;
  for (unsigned i = 0; i != alarms; ++i) {
    clock.start_alarm(static_cast<mcp::Millis>(random() % 900));
    count(random() % period);
    const mcp::Millis before_ms = clock.millis();
    handle();
    const mcp::Millis now_ms = clock.millis();
    EXPECT_GE(before_ms, last_ms);
    EXPECT_GE(now_ms, before_ms);
    last_ms = now_ms;
  }
  EXPECT_LE(last_ms, chip.now / ticks_per_ms);
  EXPECT_GE(last_ms, (chip.now - 5ULL * alarms) / ticks_per_ms);
}

}  // namespace
