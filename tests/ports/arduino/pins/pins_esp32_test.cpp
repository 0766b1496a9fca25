// SPDX-License-Identifier: Apache-2.0
#include "ports/arduino/pins/pins_fixture.hpp"

namespace test {

const Core this_core{24, 36, 36, 25, 1000, 40};

std::uint32_t high_ns(std::uint8_t pin, std::uint32_t period_ns) {
  const LedcPin& found = ledc_pins[pin];
  return static_cast<std::uint32_t>(std::uint64_t{found.duty} * period_ns >> found.timer->bits);
}

}  // namespace test

namespace {

using mcp::PinError;
using mcp::PinPull;

using ArduinoPinsEsp32 = test::PinsTest;

TEST_F(ArduinoPinsEsp32, ReportsPinsThatAreInputsOnly) {
  std::uint32_t actual = 0;
  EXPECT_EQ(pins.input(34), PinError::none);
  EXPECT_EQ(pins.input(34, PinPull::up), PinError::unsupported);
  EXPECT_EQ(pins.input(34, PinPull::down), PinError::unsupported);
  EXPECT_EQ(pins.output(34, true), PinError::unsupported);
  EXPECT_EQ(pins.pwm(34, 1'000'000, 1, actual), PinError::unsupported);
  EXPECT_EQ(pins.input(250), PinError::no_pin);
  EXPECT_EQ(fake::chip.errors, "");
}

TEST_F(ArduinoPinsEsp32, NeedsNoReferenceForVoltages) {
  mcp::arduino::ChipPins without;
  std::int32_t millivolts = 0;
  fake::chip.analog = 1234;
  EXPECT_EQ(static_cast<mcp::Pins&>(without).millivolts(36, 3, millivolts), PinError::none);
  EXPECT_EQ(millivolts, 1234);
}

TEST_F(ArduinoPinsEsp32, AttachesAPinOncePerPeriod) {
  std::uint32_t actual = 0;
  ASSERT_EQ(pins.pwm(2, 1'000'000, 1000, actual), PinError::none);
  ASSERT_EQ(pins.pwm(2, 1'000'000, 2000, actual), PinError::none);
  EXPECT_EQ(ledc_attaches, 1);
  ASSERT_EQ(pins.pwm(4, 1'000'000, 2000, actual), PinError::none);
  EXPECT_EQ(ledc_pins[4].timer, ledc_pins[2].timer);
  ASSERT_EQ(pins.pwm(4, 2'000'000, 2000, actual), PinError::none);
  EXPECT_EQ(ledc_pins[2].timer->hertz, 1000U) << "the other pin of the timer has kept its period";
  EXPECT_EQ(ledc_pins[4].timer->hertz, 500U);
  EXPECT_EQ(fake::chip.errors, "");
}

TEST_F(ArduinoPinsEsp32, ReportsTheFrequencyThatTheCoreReads) {
  std::uint32_t actual = 0;
  ledc_error_ppm = 10'000;
  ASSERT_EQ(pins.pwm(2, 1'000'000, 1000, actual), PinError::none);
  EXPECT_EQ(actual, 990'099U);
}

TEST_F(ArduinoPinsEsp32, ReportsThatAllTimersAreInUse) {
  std::uint32_t actual = 0;
  for (std::uint8_t pin = 12; pin < 16; ++pin) {
    EXPECT_EQ(pins.pwm(pin, pin * 100'000U, 1000, actual), PinError::none);
  }
  EXPECT_EQ(pins.pwm(2, 100'000, 1000, actual), PinError::busy);
  EXPECT_EQ(pins.output(2, true), PinError::none);
  EXPECT_EQ(pins.pwm(12, 1'300'000, 1000, actual), PinError::none) << "its own timer is free, and another one fits";
  EXPECT_EQ(pins.pwm(2, 100'000, 1000, actual), PinError::none);
}

TEST_F(ArduinoPinsEsp32, KeepsThePeriodOfAPinWhoseTimerTheCoreTakes) {
  share_channels_a_timer = true;
  std::uint32_t actual = 0;
  ASSERT_EQ(pins.pwm(2, 1'000'000, 250'000, actual), PinError::none);
  EXPECT_EQ(pins.pwm(4, 20'000, 1000, actual), PinError::busy);
  EXPECT_NEAR(actual, 1'000'000, 1);
  EXPECT_EQ(ledc_pins[2].timer->hertz, 1000U);
  EXPECT_NEAR(test::high_ns(2, actual), 250'000, 100);
  EXPECT_FALSE(fake::chip.pins[4].is_timer);
  EXPECT_EQ(pins.pwm(4, 1'000'000, 1000, actual), PinError::none);
  EXPECT_EQ(fake::chip.errors, "");
}

TEST_F(ArduinoPinsEsp32, HasNearlyAllOfAPeriod) {
  std::uint32_t actual = 0;
  ASSERT_EQ(pins.pwm(2, 1'000'000, 999'939, actual), PinError::none);
  EXPECT_EQ(ledc_pins[2].duty, 16'382U) << "one step more would be all of the period";
}

}  // namespace
