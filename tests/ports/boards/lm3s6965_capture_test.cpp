// SPDX-License-Identifier: Apache-2.0
// Captures of the LM3S6965 on an imitation of its GPIO ports. The application of these tests has the interrupt of port
// B.
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "lm3s6965_chip.hpp"
#include "mcp/ports/lm3s6965evb.hpp"

extern "C" {
void gpio_b_handler() {}
void gpio_e_handler();
}

namespace {

using lm3s6965::chip;
using mcp::PinEdges;
using mcp::PinError;

constexpr std::uint8_t button = 32;  // PE0
constexpr std::uint8_t other = 33;
constexpr std::uint8_t of_application = 8;  // PB0
constexpr std::uint32_t port_e_mask = 0x4002'4410;

class Lm3s6965Capture : public testing::Test {
 protected:
  Lm3s6965Capture() {
    lm3s6965::begin();
    EXPECT_EQ(pins_.input(button), PinError::none);
  }
  // The pins are those of the program, and know what the last test did.
  ~Lm3s6965Capture() override { pins_.end_capture(); }

  // A level of the button at a time.
  static void press(bool high, std::uint32_t now_us) {
    chip.now_us = now_us;
    chip.set_wire(button, high);
  }
  using Times = std::vector<std::uint32_t>;
  Times captured() {
    const mcp::Pins::Capture capture = pins_.captured();
    has_lost_ = capture.has_lost;
    return {times_, times_ + capture.count};
  }

  mcp::Pins& pins_ = board::pins();
  bool has_lost_ = false;
  std::uint32_t times_[4] = {};
};

TEST_F(Lm3s6965Capture, StoresTheTimesOfEdges) {
  chip.now_us = 0xFFFF'FFF0;
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::none);
  EXPECT_EQ(captured(), Times{});
  press(true, 0xFFFF'FFF8);
  press(false, 16);
  EXPECT_EQ(captured(), (Times{8, 32}));
  EXPECT_FALSE(has_lost_);
  pins_.end_capture();
  EXPECT_EQ(captured(), Times{});
  press(true, 17);
  EXPECT_EQ(times_[2], 0U);
  pins_.end_capture();
}

TEST_F(Lm3s6965Capture, StoresEdgesOfOneKind) {
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::falling, times_), PinError::none);
  press(true, 1);
  press(false, 2);
  press(true, 3);
  press(false, 4);
  EXPECT_EQ(captured(), (Times{2, 4}));
  EXPECT_FALSE(has_lost_);
  pins_.end_capture();
  press(true, 5);
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::rising, times_), PinError::none);
  press(false, 6);
  press(true, 7);
  EXPECT_EQ(captured(), Times{2});
}

TEST_F(Lm3s6965Capture, EndsTheInterruptWhenTheTimesAreFull) {
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::none);
  for (std::uint32_t i = 1; i <= 9; ++i) press(i % 2 != 0, i);
  EXPECT_EQ(captured(), (Times{1, 2, 3, 4}));
  EXPECT_FALSE(has_lost_);
  EXPECT_EQ(chip.registers[port_e_mask], 0U);
}

TEST_F(Lm3s6965Capture, UsesTheInterruptOfEachPort) {
  for (const std::uint8_t pin : std::initializer_list<std::uint8_t>{7, 16, 24, 32, 41, 49}) {
    EXPECT_EQ(pins_.input(pin), PinError::none);
    chip.now_us = 0;
    EXPECT_EQ(pins_.begin_capture(pin, PinEdges::both, times_), PinError::none) << int{pin};
    chip.now_us = pin;
    chip.set_wire(pin, true);
    EXPECT_EQ(captured(), Times{pin});
    pins_.end_capture();
  }
}

TEST_F(Lm3s6965Capture, LeavesTheInterruptOfTheApplicationAlone) {
  EXPECT_EQ(pins_.input(of_application), PinError::none);
  EXPECT_EQ(pins_.begin_capture(of_application, PinEdges::both, times_), PinError::busy);
  EXPECT_EQ(captured(), Times{});
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::none);
}

TEST_F(Lm3s6965Capture, NeedsAnInput) {
  std::uint32_t actual_ns = 0;
  EXPECT_EQ(pins_.begin_capture(other, PinEdges::both, times_), PinError::failed) << "the pin is off";
  EXPECT_EQ(pins_.output(other, true), PinError::none);
  EXPECT_EQ(pins_.begin_capture(other, PinEdges::both, times_), PinError::failed);
  EXPECT_EQ(pins_.pwm(other, 1'000'000, 500'000, actual_ns), PinError::none);
  EXPECT_EQ(pins_.begin_capture(other, PinEdges::both, times_), PinError::failed);
  EXPECT_EQ(pins_.input(other), PinError::none);
  EXPECT_EQ(pins_.begin_capture(36, PinEdges::both, times_), PinError::no_pin);
  chip.registers[lm3s6965::port_a + 0x420] = 1;
  EXPECT_EQ(pins_.begin_capture(0, PinEdges::both, times_), PinError::busy) << "the pin has another function";
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, {}), PinError::out_of_range);
}

TEST_F(Lm3s6965Capture, IsOneAtATime) {
  EXPECT_EQ(pins_.input(other), PinError::none);
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::none);
  for (const std::uint8_t pin : {button, other}) {
    EXPECT_EQ(pins_.begin_capture(pin, PinEdges::rising, times_), PinError::busy);
  }
  chip.set_wire(other, true);
  EXPECT_EQ(captured(), Times{});
  press(true, 3);
  press(false, 4);
  EXPECT_EQ(captured(), (Times{3, 4}));
}

TEST_F(Lm3s6965Capture, EndsWhenThePinGetsAnotherUse) {
  std::uint32_t actual_ns = 0;
  for (int use = 0; use < 4; ++use) {
    EXPECT_EQ(pins_.input(button), PinError::none);
    chip.now_us = 0;
    press(false, 0);
    EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::none);
    press(true, 5);
    EXPECT_EQ(pins_.input(other), PinError::none);
    EXPECT_EQ(captured(), Times{5}) << "another pin";
    if (use == 0) {
      EXPECT_EQ(pins_.input(button), PinError::none);
    } else if (use == 1) {
      EXPECT_EQ(pins_.output(button, true), PinError::none);
    } else {
      EXPECT_EQ(pins_.pwm(button, 1'000'000, use == 2 ? 0 : 500'000, actual_ns), PinError::none);
    }
    EXPECT_EQ(captured(), Times{}) << use;
    EXPECT_EQ(chip.registers[port_e_mask], 0U) << use;
  }
  EXPECT_EQ(pins_.input(button), PinError::none);
}

// An edge is stored also while its interrupt is off.
TEST_F(Lm3s6965Capture, ForgetsEarlierEdges) {
  chip.registers[port_e_mask - 8] = 3;  // both edges, of both pins
  press(true, 0);
  press(false, 0);
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::none);
  chip.run_interrupts();
  EXPECT_EQ(captured(), Times{});
}

TEST_F(Lm3s6965Capture, IgnoresAnInterruptThatWasPendingAtItsEnd) {
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::none);
  chip.is_masked = true;
  press(true, 1);
  pins_.end_capture();
  gpio_e_handler();
  EXPECT_EQ(times_[0], 0U);
  EXPECT_EQ(captured(), Times{});
}

// The port has one bit for all edges of a pin. The level tells an even number of them from one.
TEST_F(Lm3s6965Capture, ReportsAnEvenNumberOfEdgesBeforeTheInterrupt) {
  for (const int edges : {2, 3, 4}) {
    press(false, 0);
    EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::none);
    press(true, 1);
    EXPECT_FALSE(pins_.captured().has_lost);
    chip.is_masked = true;
    for (int i = 0; i < edges; ++i) press(i % 2 != 0, 2);
    chip.is_masked = false;
    chip.now_us = 9;
    chip.run_interrupts();
    EXPECT_EQ(captured(), (Times{1, 9})) << edges;
    EXPECT_EQ(has_lost_, edges % 2 == 0) << edges;
    press(edges % 2 != 0, 10);
    EXPECT_EQ(captured(), (Times{1, 9, 10})) << edges;
    pins_.end_capture();
  }
}

TEST_F(Lm3s6965Capture, LosesNoEdgeInItsInterrupt) {
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::none);
  chip.cleared = [] {
    chip.cleared = {};
    press(false, 2);
  };
  press(true, 1);
  EXPECT_EQ(captured(), (Times{1, 2}));
  EXPECT_TRUE(has_lost_) << "no edge is missing, but the level was read after the second one";
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::busy);
  pins_.end_capture();
  EXPECT_EQ(pins_.begin_capture(button, PinEdges::both, times_), PinError::none);
  EXPECT_EQ(captured(), Times{});
  EXPECT_FALSE(has_lost_);
}

}  // namespace
