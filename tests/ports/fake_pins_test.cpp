// SPDX-License-Identifier: Apache-2.0
// The pins for tests of applications, and what Pins does for each chip.
#include "mcp/ports/fake_pins.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

namespace {

using mcp::FakePin;
using mcp::PinEdges;
using mcp::PinError;
using mcp::PinPull;

class FakePins : public testing::Test {
 protected:
  FakePin states_[4];
  mcp::FakePins pins_{states_};
  bool is_high_ = false;
  std::int32_t millivolts_ = -1;
  std::uint32_t period_ns_ = 0;
};

TEST_F(FakePins, ReadsTheLevelOfTheWireOrOfThePull) {
  EXPECT_EQ(pins_.input(1), PinError::none);
  EXPECT_EQ(states_[1].mode, FakePin::Mode::input);
  EXPECT_EQ(pins_.level(1, is_high_), PinError::none);
  EXPECT_FALSE(is_high_);
  EXPECT_EQ(pins_.input(1, PinPull::up), PinError::none);
  EXPECT_EQ(pins_.level(1, is_high_), PinError::none);
  EXPECT_TRUE(is_high_);
  states_[1].wire = FakePin::Wire::low;
  EXPECT_EQ(pins_.level(1, is_high_), PinError::none);
  EXPECT_FALSE(is_high_);
  states_[1].wire = FakePin::Wire::high;
  EXPECT_EQ(pins_.input(1, PinPull::down), PinError::none);
  EXPECT_EQ(pins_.level(1, is_high_), PinError::none);
  EXPECT_TRUE(is_high_);
}

TEST_F(FakePins, DrivesAnOutputAndShowsAShortCircuit) {
  EXPECT_EQ(pins_.output(2, true), PinError::none);
  EXPECT_EQ(states_[2].mode, FakePin::Mode::output);
  EXPECT_TRUE(states_[2].is_high);
  EXPECT_EQ(pins_.level(2, is_high_), PinError::none);
  EXPECT_TRUE(is_high_);
  states_[2].wire = FakePin::Wire::low;
  EXPECT_EQ(pins_.level(2, is_high_), PinError::none);
  EXPECT_FALSE(is_high_);
}

TEST_F(FakePins, HasNoLevelOfAnUnusedPin) {
  is_high_ = true;
  EXPECT_EQ(pins_.level(0, is_high_), PinError::failed);
  EXPECT_TRUE(is_high_) << "the value is unchanged";
}

TEST_F(FakePins, ReadsVoltages) {
  states_[3].millivolts = 1650;
  EXPECT_EQ(pins_.millivolts(3, 1, millivolts_), PinError::none);
  EXPECT_EQ(millivolts_, 1650);
  EXPECT_EQ(pins_.millivolts(3, 0, millivolts_), PinError::out_of_range);
  EXPECT_EQ(pins_.millivolts(3, mcp::Pins::most_samples, millivolts_), PinError::none);
  EXPECT_EQ(pins_.millivolts(3, mcp::Pins::most_samples + 1, millivolts_), PinError::out_of_range);
}

TEST_F(FakePins, SendsPulses) {
  EXPECT_EQ(pins_.pwm(0, 1000, 250, period_ns_), PinError::none);
  EXPECT_EQ(period_ns_, 1000U);
  EXPECT_EQ(states_[0].mode, FakePin::Mode::pwm);
  EXPECT_EQ(states_[0].high_ns, 250U);
  EXPECT_EQ(pins_.pwm(0, 0, 0, period_ns_), PinError::out_of_range);
  EXPECT_EQ(pins_.pwm(0, 1000, 1001, period_ns_), PinError::out_of_range);
  EXPECT_EQ(pins_.level(0, is_high_), PinError::failed);
}

TEST_F(FakePins, CapturesEdgesUntilTheTimesAreFull) {
  std::uint32_t times[2] = {};
  EXPECT_EQ(pins_.begin_capture(1, PinEdges::rising, times), PinError::failed) << "the pin is no input";
  EXPECT_EQ(pins_.input(1), PinError::none);
  EXPECT_EQ(pins_.begin_capture(1, PinEdges::rising, {}), PinError::out_of_range);
  EXPECT_EQ(pins_.begin_capture(1, PinEdges::rising, times), PinError::none);
  EXPECT_EQ(pins_.begin_capture(1, PinEdges::rising, times), PinError::busy);
  pins_.add_edge(1, true, 10);
  pins_.add_edge(1, false, 15);
  pins_.add_edge(0, true, 17);
  pins_.add_edge(1, true, 20);
  pins_.add_edge(1, true, 30);
  EXPECT_EQ(pins_.captured().count, 2U);
  EXPECT_FALSE(pins_.captured().has_lost);
  EXPECT_EQ(times[0], 10U);
  EXPECT_EQ(times[1], 20U);
  pins_.lose_edges();
  EXPECT_TRUE(pins_.captured().has_lost);
  pins_.end_capture();
  EXPECT_EQ(pins_.captured().count, 0U);
  EXPECT_FALSE(pins_.captured().has_lost);
}

TEST_F(FakePins, CapturesBothOrFallingEdges) {
  std::uint32_t times[4] = {};
  EXPECT_EQ(pins_.input(1), PinError::none);
  EXPECT_EQ(pins_.begin_capture(1, PinEdges::both, times), PinError::none);
  pins_.add_edge(1, true, 10);
  pins_.add_edge(1, false, 15);
  EXPECT_EQ(pins_.captured().count, 2U);
  pins_.end_capture();
  EXPECT_EQ(pins_.begin_capture(1, PinEdges::falling, times), PinError::none);
  pins_.add_edge(1, true, 10);
  pins_.add_edge(1, false, 15);
  EXPECT_EQ(pins_.captured().count, 1U);
  EXPECT_EQ(times[0], 15U);
}

TEST_F(FakePins, FailsAsTheTestSays) {
  std::uint32_t times[1];
  states_[0].error = PinError::busy;
  EXPECT_EQ(pins_.input(0), PinError::busy);
  EXPECT_EQ(pins_.output(0, true), PinError::busy);
  EXPECT_EQ(pins_.level(0, is_high_), PinError::busy);
  EXPECT_EQ(pins_.millivolts(0, 1, millivolts_), PinError::busy);
  EXPECT_EQ(pins_.pwm(0, 1000, 1, period_ns_), PinError::busy);
  EXPECT_EQ(pins_.begin_capture(0, PinEdges::both, times), PinError::busy);
  EXPECT_EQ(states_[0].mode, FakePin::Mode::unused);
  EXPECT_EQ(pins_.input(4), PinError::no_pin);
}

// A chip without all that a port may leave out.
class FewPins final : public mcp::Pins {
  PinError do_input(std::uint8_t, PinPull) override { return PinError::none; }
  PinError do_output(std::uint8_t, bool) override { return PinError::none; }
  PinError do_level(std::uint8_t, bool&) override { return PinError::none; }
};

TEST(Pins, AreUnsupportedWhereAPortImplementsNothing) {
  FewPins pins;
  std::int32_t millivolts = 7;
  std::uint32_t period_ns = 7;
  std::uint32_t times[1];
  EXPECT_EQ(pins.millivolts(0, 1, millivolts), PinError::unsupported);
  EXPECT_EQ(millivolts, 7);
  EXPECT_EQ(pins.pwm(0, 1000, 1, period_ns), PinError::unsupported);
  EXPECT_EQ(pins.begin_capture(0, PinEdges::both, times), PinError::unsupported);
  pins.end_capture();
  EXPECT_EQ(pins.captured().count, 0U);
}

TEST(Pins, HaveARemedyForEachError) {
  std::string_view last;
  for (int i = 0; i <= static_cast<int>(PinError::failed); ++i) {
    const std::string_view text = mcp::remedy(static_cast<PinError>(i));
    EXPECT_TRUE(text.ends_with('.')) << i;
    EXPECT_NE(text, last) << i;
    last = text;
  }
}

}  // namespace
