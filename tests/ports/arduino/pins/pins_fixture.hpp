// SPDX-License-Identifier: Apache-2.0
// A new chip for each test, and what differs by core.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "ports/arduino/pins/fake_chip.hpp"

// Last: its macros have names of the standard library.
#include <mote_pins.h>

namespace test {

struct Core {
  std::uint8_t no_pin;
  std::uint8_t analog_input;
  std::uint8_t analog_pin;  // of analog_input
  std::uint8_t not_analog;
  int analog_of_1000_mv;
  std::uint32_t short_ns;  // a period that is too short
};

/// How long a pin is high in a period.
std::uint32_t high_ns(std::uint8_t pin, std::uint32_t period_ns);
extern const Core this_core;

class PinsTest : public testing::Test {
 protected:
  PinsTest() {
    fake::chip = {};
    reset_core();
  }
  ~PinsTest() override { pins.end_capture(); }

  bool level(std::uint8_t pin) {
    bool high = false;
    EXPECT_EQ(pins.level(pin, high), mcp::PinError::none);
    return high;
  }

  // An interrupt at this time, after which the wire has this level.
  static void edge(std::uint8_t pin, bool high, std::uint32_t now_us) {
    fake::chip.now_us = now_us;
    fake::chip.pins[pin].wire = high;
    if (fake::chip.pins[pin].handler != nullptr) fake::chip.pins[pin].handler();
  }

 private:
  mcp::arduino::ChipPins pins_{3300};

 protected:
  mcp::Pins& pins = pins_;
  const Core& core = this_core;
};

}  // namespace test
