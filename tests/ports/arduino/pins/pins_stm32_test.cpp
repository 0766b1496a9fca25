// SPDX-License-Identifier: Apache-2.0
#include "ports/arduino/pins/pins_fixture.hpp"

namespace test {

const Core this_core{16, A1, 9, 14, 1241, 50};

std::uint32_t high_ns(std::uint8_t pin, std::uint32_t) {
  HardwareTimer& timer = hardware_timers[pin < 4 ? 0 : 1];
  return static_cast<std::uint32_t>(std::uint64_t{timer.compare[pin]} * timer.prescaler * 1'000'000'000 /
                                    timer.getTimerClkFreq());
}

}  // namespace test

namespace {

using mcp::PinError;

using ArduinoPinsStm32 = test::PinsTest;

TEST_F(ArduinoPinsStm32, HasPulsesOnlyOnPinsOfATimer) {
  std::uint32_t actual = 0;
  EXPECT_EQ(pins.pwm(6, 1'000'000, 1000, actual), PinError::none);
  EXPECT_EQ(pins.pwm(5, 1'000'000, 1000, actual), PinError::unsupported);
  EXPECT_EQ(pins.pwm(4, 1'000'000, 1000, actual), PinError::unsupported) << "its output is a voltage";
  EXPECT_EQ(fake::chip.errors, "");
}

TEST_F(ArduinoPinsStm32, ReportsThePeriodOfTheTimer) {
  std::uint32_t actual = 0;
  ASSERT_EQ(pins.pwm(2, 333'333, 1000, actual), PinError::none);
  EXPECT_EQ(actual, 333'333U);
  ASSERT_EQ(pins.pwm(2, 1'500'000, 1000, actual), PinError::none) << "666.67 Hz";
  EXPECT_EQ(actual, 1'499'238U) << "667 Hz: 62,968 times two ticks of 84 MHz";
  ASSERT_EQ(pins.pwm(2, 300'000'000, 1000, actual), PinError::none) << "3.3 Hz";
  EXPECT_EQ(actual, 333'330'476U) << "3 Hz: 65,420 times 428 ticks";
}

TEST_F(ArduinoPinsStm32, BeginsOtherPulsesOfTheTimerAgain) {
  std::uint32_t actual = 0;
  ASSERT_EQ(pins.pwm(1, 1'000'000, 250'000, actual), PinError::none);
  ASSERT_EQ(pins.pwm(2, 1'000'000, 500'000, actual), PinError::none);
  ASSERT_EQ(pins.pwm(6, 2'000'000, 500'000, actual), PinError::none);
  fake::chip.pins[1].trace = fake::chip.pins[6].trace = "t";
  ASSERT_EQ(pins.input(2), PinError::none);
  EXPECT_FALSE(fake::chip.pins[2].is_timer);
  EXPECT_EQ(fake::chip.pins[1].trace, "tzt") << "the core ends the timer";
  EXPECT_NEAR(test::high_ns(1, actual), 250'000, 20);
  EXPECT_EQ(fake::chip.pins[6].trace, "t");
}

TEST_F(ArduinoPinsStm32, RejectsTwoPeriodsOfOneTimer) {
  std::uint32_t actual = 0;
  ASSERT_EQ(pins.pwm(1, 1'000'000, 1000, actual), PinError::none);
  EXPECT_EQ(pins.pwm(2, 2'000'000, 1000, actual), PinError::busy);
  EXPECT_EQ(pins.pwm(6, 2'000'000, 1000, actual), PinError::none);
}

TEST_F(ArduinoPinsStm32, ReadsAnAnalogInputByBothOfItsNumbers) {
  std::int32_t millivolts = 0;
  fake::chip.analog = 2048;
  ASSERT_EQ(pins.input(8), PinError::none);
  EXPECT_EQ(pins.millivolts(A0, 1, millivolts), PinError::none);
  EXPECT_EQ(millivolts, 1650);
  bool high = false;
  EXPECT_EQ(pins.level(8, high), PinError::failed) << "it is the pin of A0";
  EXPECT_EQ(pins.millivolts(0, 1, millivolts), PinError::none) << "the core takes 0 as A0";
}

TEST_F(ArduinoPinsStm32, AttachesAFunctionWithoutTheHeap) {
  std::uint32_t times[2];
  ASSERT_EQ(pins.input(3), PinError::none);
  ASSERT_EQ(pins.begin_capture(3, mcp::PinEdges::both, times), PinError::none);
  EXPECT_EQ(fake::chip.errors, "");
}

}  // namespace
