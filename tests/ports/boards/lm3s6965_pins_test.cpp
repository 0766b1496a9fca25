// SPDX-License-Identifier: Apache-2.0
// Inputs, outputs and pulses of the LM3S6965 on an imitation of the chip.
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>

#include "lm3s6965_chip.hpp"
#include "mcp/ports/lm3s6965evb.hpp"

extern "C" void timer1a_handler();

namespace {

using lm3s6965::chip;
using lm3s6965::pf1;
using lm3s6965::port_a;
using lm3s6965::port_d;
using lm3s6965::port_f;
using mcp::PinError;
using mcp::PinPull;

class Lm3s6965Pins : public testing::TestWithParam<mcp::PinsOf> {
 protected:
  Lm3s6965Pins() { lm3s6965::begin(); }

  mcp::Pins& pins_ = GetParam()();
  bool is_high_ = false;
};
INSTANTIATE_TEST_SUITE_P(Both, Lm3s6965Pins, testing::Values(board::pins, board::digital_pins));

TEST_P(Lm3s6965Pins, ReadInputsWithTheirPulls) {
  EXPECT_EQ(pins_.input(pf1, PinPull::up), PinError::none);
  EXPECT_EQ(chip.registers[port_f + 0x510], 2U);
  EXPECT_EQ(chip.registers[port_f + 0x514], 0U);
  EXPECT_EQ(chip.registers[port_f + 0x51C], 2U);
  EXPECT_EQ(pins_.input(pf1, PinPull::down), PinError::none);
  EXPECT_EQ(chip.registers[port_f + 0x510], 0U);
  EXPECT_EQ(chip.registers[port_f + 0x514], 2U);
  EXPECT_EQ(pins_.input(pf1), PinError::none);
  EXPECT_EQ(chip.registers[port_f + 0x514], 0U);
  EXPECT_EQ(pins_.level(pf1, is_high_), PinError::none);
  EXPECT_FALSE(is_high_);
  chip.set_wire(pf1, true);
  EXPECT_EQ(pins_.level(pf1, is_high_), PinError::none);
  EXPECT_TRUE(is_high_);
  EXPECT_EQ(pins_.level(pf1 - 1, is_high_), PinError::failed) << "the pin is off";
}

TEST_P(Lm3s6965Pins, MakeAnOutputWithoutAPulse) {
  EXPECT_EQ(pins_.input(pf1, PinPull::up), PinError::none);
  chip.pf1_levels.clear();
  EXPECT_EQ(pins_.output(pf1, true), PinError::none);
  EXPECT_EQ(chip.pf1_levels, "z1");
  EXPECT_EQ(pins_.level(pf1, is_high_), PinError::none);
  EXPECT_TRUE(is_high_);
  EXPECT_EQ(pins_.output(pf1, false), PinError::none);
  EXPECT_EQ(chip.pf1_levels, "z10");
  EXPECT_EQ(pins_.input(pf1), PinError::none);
  EXPECT_EQ(pins_.output(pf1, true), PinError::none);
  EXPECT_EQ(chip.pf1_levels, "z10z1");
}

TEST_P(Lm3s6965Pins, LeaveOtherPinsAlone) {
  chip.registers[port_d + 0x400] = 0xF0;
  EXPECT_EQ(pins_.output(24, true), PinError::none);
  EXPECT_EQ(chip.registers[port_d + 0x400], 0xF1U);
  EXPECT_EQ(chip.registers[port_d], 1U);
}

TEST_P(Lm3s6965Pins, AreBusyWithAnAlternateFunction) {
  chip.registers[port_a + 0x420] = 3;
  EXPECT_EQ(pins_.input(1), PinError::busy);
  EXPECT_EQ(pins_.output(1, true), PinError::busy);
  EXPECT_EQ(pins_.level(1, is_high_), PinError::busy);
  EXPECT_EQ(pins_.input(2), PinError::none);
}

TEST_P(Lm3s6965Pins, ExistOnlyWhereTheChipHasThem) {
  for (const std::uint8_t last : std::initializer_list<std::uint8_t>{31, 35, 43, 49})
    EXPECT_EQ(pins_.input(last), PinError::none) << int{last};
  for (const std::uint8_t none : std::initializer_list<std::uint8_t>{36, 39, 44, 47, 50, 56, 255}) {
    EXPECT_EQ(pins_.input(none), PinError::no_pin) << int{none};
    EXPECT_EQ(pins_.output(none, true), PinError::no_pin) << int{none};
    EXPECT_EQ(pins_.level(none, is_high_), PinError::no_pin) << int{none};
  }
}

TEST(Lm3s6965DigitalPins, HaveNoOtherFunction) {
  lm3s6965::begin();
  mcp::Pins& pins = board::digital_pins();
  std::int32_t millivolts = 0;
  std::uint32_t value = 0;
  EXPECT_EQ(pins.input(pf1), PinError::none);
  EXPECT_EQ(pins.millivolts(0, 1, millivolts), PinError::unsupported);
  EXPECT_EQ(pins.pwm(pf1, 1'000'000, 500'000, value), PinError::unsupported);
  EXPECT_EQ(pins.begin_capture(pf1, mcp::PinEdges::both, {&value, 1}), PinError::unsupported);
  EXPECT_EQ(pins.captured().count, 0U);
  pins.end_capture();
}

TEST(Lm3s6965Pulses, AreTheTimesOfATimer) {
  lm3s6965::begin();
  mcp::Pins& pins = board::pins();
  std::uint32_t actual_ns = 0;
  EXPECT_EQ(pins.pwm(pf1, 1'000'010, 250'000, actual_ns), PinError::none);
  EXPECT_EQ(actual_ns, 1'000'000U);
  EXPECT_EQ(chip.registers[lm3s6965::timer_1 + 0x28], 12'500U);
  EXPECT_EQ(chip.registers[lm3s6965::timer_1 + 0x0C], 1U);
  timer1a_handler();
  EXPECT_EQ(chip.registers[lm3s6965::timer_1 + 0x28], 37'500U);
  timer1a_handler();
  EXPECT_EQ(chip.pf1_levels, "z0101");
  EXPECT_EQ(pins.input(pf1), PinError::none);
  timer1a_handler();
  EXPECT_EQ(chip.pf1_levels, "z0101z") << "an interrupt that was pending";
  EXPECT_EQ(pins.pwm(pf1, 1'000'000, 0, actual_ns), PinError::none);
  EXPECT_EQ(pins.pwm(pf1, 1'000'000, 1'000'000, actual_ns), PinError::none);
  EXPECT_EQ(chip.pf1_levels, "z0101z01");
  EXPECT_EQ(chip.registers[lm3s6965::timer_1 + 0x0C], 0U);
  EXPECT_EQ(pins.pwm(pf1, 1'000'000, 19'999, actual_ns), PinError::out_of_range);
  EXPECT_EQ(pins.pwm(pf1, 1'000'000, 980'001, actual_ns), PinError::out_of_range);
  EXPECT_EQ(pins.pwm(pf1, 19, 0, actual_ns), PinError::out_of_range) << "less than a cycle";
  EXPECT_EQ(pins.pwm(50, 1'000'000, 500'000, actual_ns), PinError::no_pin);
}

}  // namespace
