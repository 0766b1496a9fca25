// SPDX-License-Identifier: Apache-2.0
#include "ports/arduino/pins/pins_fixture.hpp"

namespace test {

const Core this_core{30, 26, 26, 25, 1241, 10};

std::uint32_t high_ns(std::uint8_t pin, std::uint32_t period_ns) {
  const pwm_slice& slice = pwm_slices[pwm_gpio_to_slice_num(pin)];
  const unsigned level = slice.level[pwm_gpio_to_channel(pin)];
  if (level > slice.top) return period_ns;
  return static_cast<std::uint32_t>(std::uint64_t{level} * slice.div * 1'000'000'000 / 16 / system_clock);
}

}  // namespace test

namespace {

using mcp::PinError;

using ArduinoPinsRp2040 = test::PinsTest;

TEST_F(ArduinoPinsRp2040, ReportsThePeriodOfTheRegisters) {
  std::uint32_t actual = 0;
  for (const std::uint32_t period : {100U, 999U, 1'000'000U, 20'000'000U, 100'000'000U, 133'000'000U}) {
    ASSERT_EQ(pins.pwm(2, period, period / 3, actual), PinError::none);
    const pwm_slice& slice = pwm_slices[1];
    EXPECT_EQ(actual,
              (std::uint64_t{slice.top + 1U} * slice.div * 1'000'000'000 / 16 + system_clock / 2) / system_clock);
    EXPECT_NEAR(actual, period, 8 + period / 30'000);
    EXPECT_TRUE(slice.is_on);
  }
  EXPECT_EQ(pins.pwm(2, 135'000'000, 1, actual), PinError::out_of_range);
}

TEST_F(ArduinoPinsRp2040, ChangesADutyWithoutANewStart) {
  std::uint32_t actual = 0;
  ASSERT_EQ(pins.pwm(2, 1'000'000, 1000, actual), PinError::none);
  const int starts = pwm_slices[1].starts;
  ASSERT_EQ(pins.pwm(2, 1'000'000, 2000, actual), PinError::none);
  ASSERT_EQ(pins.pwm(3, 1'000'000, 4000, actual), PinError::none);
  EXPECT_EQ(pwm_slices[1].starts, starts);
  EXPECT_NEAR(test::high_ns(2, actual), 2000, 20) << "the other pin of the timer has kept its pulses";
}

TEST_F(ArduinoPinsRp2040, RejectsTwoPeriodsOrOutputsOfOneSlice) {
  std::uint32_t actual = 0;
  ASSERT_EQ(pins.pwm(2, 1'000'000, 1000, actual), PinError::none);
  EXPECT_EQ(pins.pwm(3, 2'000'000, 1000, actual), PinError::busy);
  EXPECT_EQ(pins.pwm(18, 1'000'000, 1000, actual), PinError::busy) << "the same output as pin 2";
  EXPECT_EQ(pins.pwm(4, 2'000'000, 1000, actual), PinError::none);
  ASSERT_EQ(pins.input(2), PinError::none);
  EXPECT_EQ(pins.pwm(3, 2'000'000, 1000, actual), PinError::none);
}

TEST_F(ArduinoPinsRp2040, SetsAnAnalogInputUpAgainAfterAnotherUse) {
  std::int32_t millivolts = 0;
  std::uint32_t actual = 0;
  ASSERT_EQ(pins.millivolts(26, 2, millivolts), PinError::none);
  EXPECT_EQ(fake::chip.analog_setups, 1);
  ASSERT_EQ(pins.pwm(26, 1'000'000, 1000, actual), PinError::none);
  ASSERT_EQ(pins.millivolts(26, 2, millivolts), PinError::none);
  EXPECT_EQ(fake::chip.analog_setups, 2);
  EXPECT_FALSE(fake::chip.pins[26].is_timer);
}

TEST_F(ArduinoPinsRp2040, NeedsAReferenceForVoltages) {
  mcp::arduino::ChipPins without;
  std::int32_t millivolts = 5;
  EXPECT_EQ(static_cast<mcp::Pins&>(without).millivolts(26, 1, millivolts), PinError::unsupported);
  EXPECT_EQ(millivolts, 5);
  fake::chip.analog = 4095;
  EXPECT_EQ(pins.millivolts(26, 1024, millivolts), PinError::none);
  EXPECT_EQ(millivolts, 3299);
}

TEST_F(ArduinoPinsRp2040, HasPulsesOnEachOfSixteenOutputs) {
  std::uint32_t actual = 0;
  for (std::uint8_t pin = 0; pin < 16; ++pin) EXPECT_EQ(pins.pwm(pin, 1'000'000, 1000, actual), PinError::none);
  EXPECT_EQ(pins.pwm(16, 1'000'000, 1000, actual), PinError::busy);
}

}  // namespace
