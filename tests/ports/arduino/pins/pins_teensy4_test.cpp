// SPDX-License-Identifier: Apache-2.0
#include "ports/arduino/pins/pins_fixture.hpp"

namespace test {

const Core this_core{40, A0, 14, 12, 1241, 9};

std::uint32_t high_ns(std::uint8_t pin, std::uint32_t period_ns) {
  if (!fake::chip.pins[pin].is_timer) return fake::chip.pins[pin].latch ? period_ns : 0;
  return static_cast<std::uint32_t>(1e9 / static_cast<double>(write_hertz[pin]) * write_value[pin] /
                                    (1U << write_bits));
}

}  // namespace test

namespace {

using mcp::PinError;

using ArduinoPinsTeensy4 = test::PinsTest;

TEST_F(ArduinoPinsTeensy4, HasOnePeriodForAllPins) {
  std::uint32_t actual = 0;
  ASSERT_EQ(pins.pwm(2, 1'000'000, 1000, actual), PinError::none);
  EXPECT_EQ(pins.pwm(22, 2'000'000, 1000, actual), PinError::busy);
  EXPECT_EQ(pins.pwm(22, 1'000'000, 1000, actual), PinError::none);
  EXPECT_EQ(pins.pwm(30, 1'000'000, 1000, actual), PinError::unsupported);
}

TEST_F(ArduinoPinsTeensy4, ReportsThePeriodOfWholeTicks) {
  std::uint32_t actual = 0;
  ASSERT_EQ(pins.pwm(2, 1001, 500, actual), PinError::none);
  EXPECT_EQ(actual, 1000U) << "150 of 150.15 ticks";
  ASSERT_EQ(pins.pwm(2, 50'000'000, 500, actual), PinError::none);
  EXPECT_EQ(actual, 49'999'360U) << "58,593 times 128 ticks";
  EXPECT_EQ(pins.pwm(2, 60'000'000, 500, actual), PinError::out_of_range);
}

}  // namespace
