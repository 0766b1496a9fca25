// SPDX-License-Identifier: Apache-2.0
// The voltages of the LM3S6965 on an imitation of its ADC, and on that of QEMU.
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>

#include "lm3s6965_chip.hpp"
#include "mcp/ports/lm3s6965evb.hpp"

extern "C" void timer1a_handler();

namespace {

using lm3s6965::chip;
using mcp::PinError;

constexpr std::uint8_t temperature = 4;

class Lm3s6965Voltages : public testing::Test {
 protected:
  Lm3s6965Voltages() { lm3s6965::begin(); }

  PinError measure(std::uint8_t input, unsigned samples) { return pins_.millivolts(input, samples, millivolts_); }

  mcp::Pins& pins_ = board::pins();
  std::int32_t millivolts_ = -1;
};

TEST_F(Lm3s6965Voltages, AreTheMeanOfConversions) {
  chip.steps[2] = 511;
  chip.alternation = 1;
  EXPECT_EQ(measure(2, 2), PinError::none);
  EXPECT_EQ(millivolts_, 1499) << "1498.5";
  EXPECT_EQ(chip.conversions, 2U);
  chip.alternation = 0;
  for (const std::uint8_t input : std::initializer_list<std::uint8_t>{0, 1, 3}) {
    chip.steps[input] = 100U * input;
    EXPECT_EQ(measure(input, 1), PinError::none);
    EXPECT_EQ(millivolts_, 293 * input);
  }
}

TEST_F(Lm3s6965Voltages, GoFrom0To3Volts) {
  chip.steps[0] = 1023;
  EXPECT_EQ(measure(0, mcp::Pins::most_samples), PinError::none);
  EXPECT_EQ(millivolts_, 2997);
  EXPECT_EQ(chip.conversions, mcp::Pins::most_samples);
  chip.steps[0] = 0;
  EXPECT_EQ(measure(0, 1), PinError::none);
  EXPECT_EQ(millivolts_, 0);
}

TEST_F(Lm3s6965Voltages, HaveATemperatureSensor) {
  chip.steps[0] = 1;
  chip.steps[temperature] = 557;
  EXPECT_EQ(measure(temperature, 1), PinError::none);
  EXPECT_EQ(millivolts_, 1632) << "25 degrees";
  EXPECT_EQ(measure(0, 1), PinError::none);
  EXPECT_EQ(millivolts_, 3);
}

TEST_F(Lm3s6965Voltages, RejectOtherInputsAndNumbersOfConversions) {
  for (const std::uint8_t none : std::initializer_list<std::uint8_t>{5, 41, 255}) {
    EXPECT_EQ(measure(none, 1), PinError::no_pin) << int{none};
  }
  EXPECT_EQ(measure(0, 0), PinError::out_of_range);
  EXPECT_EQ(measure(0, mcp::Pins::most_samples + 1), PinError::out_of_range);
  EXPECT_EQ(chip.conversions, 0U);
  EXPECT_EQ(millivolts_, -1);
}

TEST_F(Lm3s6965Voltages, NeedATimerWithoutPulses) {
  constexpr std::uint8_t first = 24;
  std::uint32_t actual_ns = 0;
  for (std::uint8_t i = 0; i < 3; ++i) {
    EXPECT_EQ(pins_.pwm(first + i, 1'000'000, 500'000, actual_ns), PinError::none);
  }
  EXPECT_EQ(measure(0, 1), PinError::busy);
  EXPECT_EQ(millivolts_, -1);
  EXPECT_EQ(pins_.input(first), PinError::none);
  EXPECT_EQ(measure(0, 1), PinError::none);
  EXPECT_EQ(chip.registers[lm3s6965::timer_1 + 0x018], 0U) << "the timer of a conversion interrupts";
  EXPECT_EQ(pins_.pwm(first, 1'000'000, 500'000, actual_ns), PinError::none);
  EXPECT_EQ(chip.registers[lm3s6965::timer_1 + 0x018], 1U);
  EXPECT_EQ(chip.registers[lm3s6965::timer_1 + 0x00C], 1U) << "pulses start conversions";
  timer1a_handler();
  EXPECT_EQ(chip.conversions, 1U);
  for (std::uint8_t i = 0; i < 3; ++i) EXPECT_EQ(pins_.input(first + i), PinError::none);
}

TEST_F(Lm3s6965Voltages, FailWithoutAConverter) {
  chip.has_converter_stopped = true;
  EXPECT_EQ(measure(0, 1), PinError::failed);
  EXPECT_EQ(millivolts_, -1);
  EXPECT_GE(chip.now_ms, 100U);
  EXPECT_LE(chip.now_ms, 110U);
  EXPECT_EQ(chip.adc_resets, 1U);
  chip.has_converter_stopped = false;
  chip.steps[0] = 512;
  EXPECT_EQ(measure(0, 1), PinError::none);
  EXPECT_EQ(millivolts_, 1500);
}

TEST_F(Lm3s6965Voltages, AreNoiseInQemu) {
  chip.has_adc_of_qemu = true;
  for (std::uint8_t i = 0; i < 100; ++i) {
    EXPECT_EQ(measure(i % 5, 1), PinError::none);
    EXPECT_GE(millivolts_, 1500);
    EXPECT_LE(millivolts_, 1521);
  }
  EXPECT_EQ(chip.conversions, 100U);
}

}  // namespace
