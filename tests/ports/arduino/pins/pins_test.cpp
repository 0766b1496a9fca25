// SPDX-License-Identifier: Apache-2.0
// ChipPins on the fake of each core.
#include "ports/arduino/pins/pins_fixture.hpp"

namespace {

using mcp::PinEdges;
using mcp::PinError;
using mcp::PinPull;

using ArduinoPins = test::PinsTest;

TEST_F(ArduinoPins, ReadsAnInputWithEachPull) {
  EXPECT_EQ(pins.input(3), PinError::none);
  EXPECT_FALSE(level(3));
  fake::chip.pins[3].wire = true;
  EXPECT_TRUE(level(3));
  EXPECT_EQ(pins.input(3, PinPull::down), PinError::none);
  EXPECT_FALSE(level(3));
  EXPECT_EQ(pins.input(3, PinPull::up), PinError::none);
  fake::chip.pins[3].wire = false;
  EXPECT_TRUE(level(3));
  EXPECT_EQ(fake::chip.errors, "");
}

// The trace has neither a pulse of the other level nor an output that is off for longer than the call.
TEST_F(ArduinoPins, MakesAnOutputWithoutAPulseOfTheOtherLevel) {
  for (const PinPull pull : {PinPull::none, PinPull::up, PinPull::down}) {
    for (const bool high : {true, false}) {
      ASSERT_EQ(pins.input(2, pull), PinError::none);
      fake::chip.pins[2].latch = !high;
      fake::chip.pins[2].trace = "z";
      EXPECT_EQ(pins.output(2, high), PinError::none);
      EXPECT_EQ(fake::chip.pins[2].trace, high ? "zH" : "zL");
    }
  }
  EXPECT_EQ(fake::chip.errors, "");
}

TEST_F(ArduinoPins, MakesAnOutputOfAPinThatWasNeverUsed) {
  fake::chip.pins[2].trace = "z";
  EXPECT_EQ(pins.output(2, true), PinError::none);
  EXPECT_EQ(fake::chip.pins[2].trace, "zH");
  EXPECT_EQ(fake::chip.errors, "");
}

TEST_F(ArduinoPins, ChangesAnOutputOnce) {
  ASSERT_EQ(pins.output(2, true), PinError::none);
  fake::chip.pins[2].trace = "H";
  EXPECT_EQ(pins.output(2, true), PinError::none);
  EXPECT_EQ(fake::chip.pins[2].trace, "H");
  EXPECT_EQ(pins.output(2, false), PinError::none);
  EXPECT_EQ(pins.output(2, true), PinError::none);
  EXPECT_EQ(fake::chip.pins[2].trace, "HLH");
  EXPECT_TRUE(level(2));
  EXPECT_EQ(pins.input(2), PinError::none);
  EXPECT_EQ(fake::chip.pins[2].trace, "HLHz");
}

TEST_F(ArduinoPins, ReportsNoLevelOfAPinThatIsUnused) {
  bool high = true;
  EXPECT_EQ(pins.level(3, high), PinError::failed);
  EXPECT_TRUE(high);
  EXPECT_EQ(fake::chip.errors, "");
}

TEST_F(ArduinoPins, ReportsAPinThatTheBoardDoesNotHave) {
  bool high = false;
  std::uint32_t actual = 0, times[1];
  EXPECT_EQ(pins.input(core.no_pin), PinError::no_pin);
  EXPECT_EQ(pins.output(core.no_pin, true), PinError::no_pin);
  EXPECT_EQ(pins.level(core.no_pin, high), PinError::no_pin);
  EXPECT_EQ(pins.pwm(core.no_pin, 1000, 1, actual), PinError::no_pin);
  EXPECT_EQ(pins.begin_capture(core.no_pin, PinEdges::both, times), PinError::no_pin);
  EXPECT_EQ(fake::chip.errors, "");
}

// ---- Edges ----------------------------------------------------------------------------------------------------------

TEST_F(ArduinoPins, CapturesEdgesSinceItsBegin) {
  std::uint32_t times[4] = {};
  ASSERT_EQ(pins.input(3, PinPull::none), PinError::none);
  fake::chip.now_us = 0xFFFF'FFF0;  // micros() wraps
  ASSERT_EQ(pins.begin_capture(3, PinEdges::both, times), PinError::none);
  edge(3, true, 0xFFFF'FFF8);
  edge(3, false, 0x0000'0010);
  EXPECT_EQ(pins.captured().count, 2U);
  EXPECT_FALSE(pins.captured().has_lost);
  EXPECT_EQ(times[0], 8U);
  EXPECT_EQ(times[1], 32U);
  pins.end_capture();
  EXPECT_EQ(fake::chip.pins[3].handler, nullptr);
  EXPECT_EQ(pins.captured().count, 0U);
  EXPECT_FALSE(level(3)) << "it is still an input";
  pins.end_capture();
}

TEST_F(ArduinoPins, CapturesUntilThereIsNoSpace) {
  std::uint32_t times[3] = {0, 0, 7};
  ASSERT_EQ(pins.input(3), PinError::none);
  ASSERT_EQ(pins.begin_capture(3, PinEdges::both, std::span(times).first(2)), PinError::none);
  edge(3, true, 10);
  edge(3, false, 20);
  edge(3, true, 30);
  EXPECT_EQ(pins.captured().count, 2U);
  EXPECT_EQ(times[2], 7U);
  pins.end_capture();
}

TEST_F(ArduinoPins, TellsThatEdgesWereTooFast) {
  std::uint32_t times[4] = {};
  ASSERT_EQ(pins.input(3), PinError::none);
  ASSERT_EQ(pins.begin_capture(3, PinEdges::both, times), PinError::none);
  edge(3, true, 10);
  EXPECT_FALSE(pins.captured().has_lost);
  edge(3, true, 20);  // it was low in between
  EXPECT_TRUE(pins.captured().has_lost);
  EXPECT_EQ(pins.captured().count, 2U);
  pins.end_capture();
  ASSERT_EQ(pins.begin_capture(3, PinEdges::both, times), PinError::none);
  EXPECT_FALSE(pins.captured().has_lost);
  pins.end_capture();
}

TEST_F(ArduinoPins, CapturesOneKindOfEdge) {
  std::uint32_t times[4] = {};
  ASSERT_EQ(pins.input(3), PinError::none);
  ASSERT_EQ(pins.begin_capture(3, PinEdges::rising, times), PinError::none);
  EXPECT_EQ(fake::chip.pins[3].edges, RISING);
  edge(3, true, 10);
  edge(3, true, 20);
  EXPECT_FALSE(pins.captured().has_lost);
  pins.end_capture();
  ASSERT_EQ(pins.begin_capture(3, PinEdges::falling, times), PinError::none);
  EXPECT_EQ(fake::chip.pins[3].edges, FALLING);
  pins.end_capture();
  ASSERT_EQ(pins.begin_capture(3, PinEdges::both, times), PinError::none);
  EXPECT_EQ(fake::chip.pins[3].edges, CHANGE);
  pins.end_capture();
}

TEST_F(ArduinoPins, KeepsThePinOfACapture) {
  std::uint32_t times[4] = {}, actual = 0;
  std::int32_t millivolts = 5;
  EXPECT_EQ(pins.begin_capture(3, PinEdges::both, times), PinError::failed) << "it is no input";
  ASSERT_EQ(pins.input(3), PinError::none);
  ASSERT_EQ(pins.input(5), PinError::none);
  ASSERT_EQ(pins.begin_capture(3, PinEdges::both, times), PinError::none);
  EXPECT_EQ(pins.begin_capture(5, PinEdges::both, times), PinError::busy);
  EXPECT_EQ(pins.input(3), PinError::busy);
  EXPECT_EQ(pins.output(3, true), PinError::busy);
  EXPECT_EQ(pins.pwm(3, 1'000'000, 1, actual), PinError::busy);
  EXPECT_EQ(pins.input(5), PinError::none);
  pins.end_capture();
  EXPECT_EQ(pins.output(3, true), PinError::none);
  ASSERT_EQ(pins.input(core.analog_pin), PinError::none);
  ASSERT_EQ(pins.begin_capture(core.analog_pin, PinEdges::both, times), PinError::none);
  EXPECT_EQ(pins.millivolts(core.analog_input, 1, millivolts), PinError::busy);
  EXPECT_EQ(millivolts, 5);
  pins.end_capture();
}

// ---- Voltages -------------------------------------------------------------------------------------------------------

TEST_F(ArduinoPins, ReadsTheMeanOfVoltages) {
  std::int32_t millivolts = 0;
  fake::chip.analog = core.analog_of_1000_mv;
  EXPECT_EQ(pins.millivolts(core.analog_input, 1024, millivolts), PinError::none);
  EXPECT_NEAR(millivolts, 1000, 1);
  bool high = false;
  EXPECT_EQ(pins.level(core.analog_pin, high), PinError::failed);
  EXPECT_EQ(pins.millivolts(core.not_analog, 1, millivolts), PinError::unsupported);
  EXPECT_EQ(fake::chip.errors, "");
}

// ---- Pulses ---------------------------------------------------------------------------------------------------------

TEST_F(ArduinoPins, EndsPulsesForAnInputOrOutput) {
  std::uint32_t actual = 0;
  bool high = false;
  ASSERT_EQ(pins.pwm(2, 1'000'000, 500'000, actual), PinError::none);
  EXPECT_NEAR(actual, 1'000'000, 10);
  EXPECT_TRUE(fake::chip.pins[2].is_timer);
  EXPECT_EQ(pins.level(2, high), PinError::failed);
  EXPECT_EQ(pins.output(2, true), PinError::none);
  EXPECT_FALSE(fake::chip.pins[2].is_timer);
  EXPECT_TRUE(level(2));
  ASSERT_EQ(pins.pwm(2, 2'000'000, 500'000, actual), PinError::none) << "the first period is free again";
  EXPECT_NEAR(actual, 2'000'000, 10);
  EXPECT_EQ(pins.input(2), PinError::none);
  EXPECT_FALSE(fake::chip.pins[2].is_timer);
  EXPECT_EQ(fake::chip.errors, "");
}

TEST_F(ArduinoPins, MakesThePulsesOfAServo) {
  std::uint32_t actual = 0;
  ASSERT_EQ(pins.pwm(2, 20'000'000, 1'500'000, actual), PinError::none);
  EXPECT_NEAR(actual, 20'000'000, 2000);
  EXPECT_NEAR(test::high_ns(2, actual), 1'500'000, 2000);
  ASSERT_EQ(pins.pwm(2, 20'000'000, 1'000'000, actual), PinError::none);
  EXPECT_NEAR(test::high_ns(2, actual), 1'000'000, 2000);
}

TEST_F(ArduinoPins, KeepsAPinLowOrHigh) {
  std::uint32_t actual = 0;
  for (const std::uint32_t period : {1'000'000U, 25'000U}) {
    ASSERT_EQ(pins.pwm(2, period, 0, actual), PinError::none);
    EXPECT_EQ(test::high_ns(2, actual), 0);
    EXPECT_NEAR(actual, period, 10);
    ASSERT_EQ(pins.pwm(2, period, period, actual), PinError::none);
    EXPECT_EQ(test::high_ns(2, actual), actual);
    ASSERT_EQ(pins.pwm(2, period, period - 1, actual), PinError::none);
  }
}

TEST_F(ArduinoPins, RejectsPeriodsThatTheHardwareDoesNotHave) {
  std::uint32_t actual = 5;
  EXPECT_EQ(pins.pwm(2, core.short_ns, 1, actual), PinError::out_of_range);
  EXPECT_EQ(pins.pwm(2, 4'000'000'000, 1, actual), PinError::out_of_range);
  EXPECT_EQ(actual, 5U);
  EXPECT_FALSE(fake::chip.pins[2].is_timer);
}

}  // namespace
