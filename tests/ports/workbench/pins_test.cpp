// SPDX-License-Identifier: Apache-2.0
// Pins: to rest and away from it, as a client sees it.
#include "ports/workbench/table.hpp"

namespace {

using namespace test;

using WorkbenchPins = test::WorkbenchOfTable;

TEST_F(WorkbenchPins, BeginPutsEachPinToRest) {
  EXPECT_TRUE(is_low(led));
  EXPECT_TRUE(is_low(heater));
  EXPECT_TRUE(is_high(fan));
  EXPECT_TRUE(is_input(gp6));
  EXPECT_TRUE(is_input(7));
  EXPECT_EQ(wires[7].pull, mcp::PinPull::up);
  EXPECT_EQ(wires[0].mode, mcp::FakePin::Mode::unused) << "an analog input has no mode";
}

TEST_F(WorkbenchPins, SetPinSetsALevelAndReadsItBack) {
  EXPECT_EQ(call("set_pin", R"("pin":"LED","level":"high")"), "LED is high.");
  EXPECT_TRUE(is_high(led));
  EXPECT_EQ(call("set_pin", R"("pin":"LED","level":"rest")"), "LED is at rest.");
  EXPECT_TRUE(is_low(led));
  EXPECT_EQ(call("set_pin", R"("pin":"GP6","level":"low")"), "GP6 is low.");
  EXPECT_TRUE(is_low(gp6)) << "low is not the rest of an input";
  EXPECT_EQ(call("set_pin", R"("pin":"GP6","level":"rest")"), "GP6 is at rest.");
  EXPECT_TRUE(is_input(gp6));
}

TEST_F(WorkbenchPins, TheLevelOfRestEndsTheUse) {
  call("set_pin", R"("pin":"LED","level":"high")");
  EXPECT_EQ(call("set_pin", R"("pin":"LED","level":"low")"), "LED is at rest.");
  EXPECT_TRUE(bench.is_at_rest(0));
  EXPECT_EQ(call("set_pin", R"("pin":"FAN","level":"high")"), "FAN is at rest.");
}

TEST_F(WorkbenchPins, AnUnknownPinCannotBeNamed) {
  EXPECT_EQ(call("set_pin", R"("pin":"GP9","level":"high")"),
            R"(error: Argument "pin" must be one of "LED", "HEATER", "FAN", "RELAY", "GP6", "LASER", "VALVE".)");
  EXPECT_EQ(call("set_pin", R"("pin":"BUTTON","level":"high")").rfind("error: ", 0), 0U) << "it is an input";
  for (const mcp::FakePin& wire : wires) EXPECT_NE(wire.mode, mcp::FakePin::Mode::pwm);
}

TEST_F(WorkbenchPins, AShortCircuitIsReportedAndThePinIsAtRest) {
  wires[led].wire = mcp::FakePin::Wire::low;
  EXPECT_EQ(call("set_pin", R"("pin":"LED","level":"high")"),
            "error: LED was driven high, but its wire has another level: a short circuit, or something else drives it. "
            "It is at rest again. Check the wires.");
  EXPECT_TRUE(is_low(led));
  EXPECT_TRUE(bench.is_at_rest(0));
  EXPECT_EQ(call("read_pins", R"("pins":["LED"])"), "LED: low, at rest (short circuit: its wire had another level)");
}

TEST_F(WorkbenchPins, ATimeEndsAtRest) {
  EXPECT_EQ(call("set_pin", R"("pin":"LED","level":"high","for_ms":500)"), "LED is high, and goes to rest in 500 ms.");
  run(499);
  EXPECT_TRUE(is_high(led));
  run(1);
  EXPECT_TRUE(is_low(led));
  EXPECT_EQ(call("read_pins", R"("pins":["LED"])"), "LED: low, at rest (its time was over)");
}

TEST_F(WorkbenchPins, PollReturnsWhenAPinIsDue) {
  run(10);
  call("set_pin", R"("pin":"LED","level":"high","for_ms":70)");
  EXPECT_LE(poll(), 70U);
}

TEST_F(WorkbenchPins, ALimitOfTheTableEndsAtRestAlsoIfItIsSetAgain) {
  EXPECT_EQ(call("set_pin", R"("pin":"HEATER","level":"high","for_ms":60001)"),
            "error: HEATER may be away from rest for at most 60000 ms. Give a shorter for_ms.");
  EXPECT_TRUE(is_low(heater));
  EXPECT_EQ(call("set_pin", R"("pin":"HEATER","level":"high")"), "HEATER is high, and goes to rest in 60000 ms.");
  run(40'000);
  EXPECT_EQ(call("set_pin", R"("pin":"HEATER","level":"high","for_ms":60000)"),
            "HEATER is high, and goes to rest in 20000 ms.");
  run(19'999);
  EXPECT_TRUE(is_high(heater));
  run(1);
  EXPECT_TRUE(is_low(heater));
  EXPECT_EQ(call("read_pins", R"("pins":["HEATER"])"),
            "HEATER: low, at rest (it was away from rest for as long as it may)");
}

TEST_F(WorkbenchPins, ARelayRestsBetweenUses) {
  call("set_pin", R"("pin":"RELAY","level":"high")");
  call("set_pin", R"("pin":"RELAY","level":"rest")");
  run(2000);
  const std::string response =
      ask(alice, "tools/call", R"("name":"set_pin","arguments":{"pin":"RELAY","level":"high"})");
  EXPECT_EQ(text_of(response), "error: RELAY must rest for 5000 ms between uses. Wait 3000 ms.");
  EXPECT_NE(response.find(R"("mote/retryAfterMs":3000)"), std::string::npos) << response;
  EXPECT_TRUE(is_low(relay));
  run(3000);
  EXPECT_EQ(call("set_pin", R"("pin":"RELAY","level":"high")"), "RELAY is high.");
  // A level that the pin has already is no use after a rest.
  EXPECT_EQ(call("set_pin", R"("pin":"RELAY","level":"high")"), "RELAY is high.");
}

TEST_F(WorkbenchPins, TheTimeOfRestDoesNotReturnWhenTheClockWraps) {
  call("set_pin", R"("pin":"RELAY","level":"high","for_ms":10)");
  run(20);
  run(6000);
  now_ms += 0xFFFF'FFFF - 6000;
  EXPECT_EQ(call("set_pin", R"("pin":"RELAY","level":"high")"), "RELAY is high.");
}

TEST_F(WorkbenchPins, APinNeedsItsInterlock) {
  is_lid_closed = false;
  EXPECT_EQ(call("set_pin", R"("pin":"LASER","level":"high")"), "error: The lid is open.");
  is_lid_closed = true;
  EXPECT_EQ(call("set_pin", R"("pin":"LASER","level":"high")"), "LASER is high.");
  is_lid_closed = false;
  poll();
  EXPECT_TRUE(is_low(laser));
  EXPECT_EQ(call("read_pins", R"("pins":["LASER"])"),
            "LASER: low, at rest (the device was no longer in the state that the pin needs)");
}

TEST_F(WorkbenchPins, AllOffPutsAllPinsToRest) {
  call("set_pin", R"("pin":"LED","level":"high")");
  call("set_pin", R"("pin":"FAN","level":"low")");
  call("set_pwm", R"("pin":"HEATER","percent":50)");
  EXPECT_EQ(call("all_off"), "All pins are at rest, and all holds have ended.");
  EXPECT_TRUE(is_low(led));
  EXPECT_TRUE(is_high(fan));
  EXPECT_TRUE(is_low(heater));
}

TEST_F(WorkbenchPins, PulsesHaveTheirPercentageAndTheirFrequency) {
  EXPECT_EQ(call("set_pwm", R"("pin":"LED","percent":12.5)"), "LED is high for 12.5 % of the time, at 1000 Hz.");
  EXPECT_EQ(wires[led].mode, mcp::FakePin::Mode::pwm);
  EXPECT_EQ(wires[led].period_ns, 1'000'000U);
  EXPECT_EQ(wires[led].high_ns, 125'000U);
  EXPECT_EQ(call("read_pins", R"("pins":["LED"])"), "LED: pulses of 12.5 % at 1000 Hz, output of you");
  EXPECT_EQ(call("set_pin", R"("pin":"LED","level":"rest")"), "LED is at rest.");
  EXPECT_TRUE(is_low(led));
}

TEST_F(WorkbenchPins, PercentagesAreRoundedToATenth) {
  struct Case {
    std::string_view percent;
    std::uint32_t high_ns;  // of 3 Hz
  };
  constexpr Case cases[] = {{"0.05", 333'333},      {"0.1", 333'333},      {"7.449", 24'666'667},
                            {"7.45", 24'666'667},   {"33.3", 111'000'000}, {"99.94", 333'000'000},
                            {"99.96", 333'333'333}, {"100", 333'333'333}};
  for (const Case& one : cases) {
    EXPECT_EQ(call("set_pwm", R"("pin":"LED","hz":3,"percent":)" + std::string(one.percent)).rfind("LED is high", 0),
              0U);
    EXPECT_EQ(wires[led].high_ns, one.high_ns) << one.percent;
    EXPECT_LE(wires[led].high_ns, wires[led].period_ns);
  }
}

TEST_F(WorkbenchPins, PulsesWithoutAnEdgeAreRestOrAwayFromIt) {
  EXPECT_EQ(call("set_pwm", R"("pin":"LED","percent":0.04)"), "LED is at rest.");
  EXPECT_EQ(call("set_pwm", R"("pin":"FAN","percent":100)"), "FAN is at rest.");
  EXPECT_EQ(call("set_pwm", R"("pin":"LED","percent":100)"), "LED is high for 100 % of the time, at 1000 Hz.");
  EXPECT_FALSE(bench.is_at_rest(0));
  EXPECT_EQ(call("set_pwm", R"("pin":"FAN","percent":0)"), "FAN is high for 0 % of the time, at 1000 Hz.");
  EXPECT_FALSE(bench.is_at_rest(2));
}

TEST_F(WorkbenchPins, AFrequencyOutOfTheTableIsRefused) {
  EXPECT_EQ(call("set_pwm", R"("pin":"LED","percent":50,"hz":50001)"), "error: LED takes at most 50000 Hz.");
  EXPECT_EQ(call("set_pwm", R"("pin":"LED","percent":50,"hz":0)").rfind("error: Argument \"hz\"", 0), 0U);
  EXPECT_TRUE(is_low(led));
}

TEST_F(WorkbenchPins, NoCallSaysAtRestOfAPinThatDidNotGoThere) {
  constexpr std::string_view refusal =
      "error: LED is unavailable, because it did not go to rest. Something else uses the pin. Choose another pin.";
  wires[led].error = mcp::PinError::busy;
  EXPECT_EQ(call("set_pin", R"("pin":"LED","level":"high")"), refusal);
  EXPECT_FALSE(bench.is_available(0));
  wires[led].error = mcp::PinError::none;
  run(1000);
  EXPECT_TRUE(bench.is_available(0));
  wires[led].error = mcp::PinError::busy;
  EXPECT_EQ(call("set_pwm", R"("pin":"LED","percent":50)"), refusal);
}

// ---- Unavailable ---------------------------------------------------------------------------------------------------

TEST_F(WorkbenchPins, BeginReportsPinsThatDidNotGoToRest) {
  wires[led].error = mcp::PinError::failed;
  wires[fan].wire = mcp::FakePin::Wire::low;
  EXPECT_EQ(bench.begin(), 2U);
  EXPECT_FALSE(bench.is_available(0));
  EXPECT_FALSE(bench.is_available(2));
  EXPECT_TRUE(bench.is_available(1));
}

TEST_F(WorkbenchPins, AnUnavailablePinIsNeverLow) {
  wires[led].error = mcp::PinError::failed;
  wires[fan].wire = mcp::FakePin::Wire::low;
  bench.begin();
  EXPECT_EQ(call("read_pins", R"("pins":["LED","FAN"])"),
            "LED: unavailable, it did not go to rest. The pin reports an error.\n"
            "FAN: unavailable, it did not go to rest: its wire has another level. Check the wires.");
  EXPECT_EQ(call("set_pin", R"("pin":"LED","level":"high")"),
            "error: LED is unavailable, because it did not go to rest. The pin reports an error.");
  EXPECT_EQ(
      call("set_pin", R"("pin":"FAN","level":"low")"),
      "error: FAN is unavailable, because it did not go to rest. Its wire does not have the level that it drives. "
      "Check the wires for a short circuit.");
  EXPECT_EQ(call("set_pin", R"("pin":"LED","level":"rest")").rfind("error: LED is unavailable", 0), 0U);
  EXPECT_EQ(call("all_off"),
            "error: These pins did not go to rest: LED FAN. Switch off what is connected to them, and check the wires. "
            "The other pins are at rest.");
  EXPECT_NE(read(alice, "bench://pins").find(R"("unavailable":true)"), std::string::npos);
}

TEST_F(WorkbenchPins, AnUnavailablePinIsTriedAgainEachSecond) {
  wires[led].error = mcp::PinError::failed;
  bench.begin();
  EXPECT_LE(poll(), 1000U);
  wires[led].error = mcp::PinError::none;
  EXPECT_FALSE(bench.is_available(0));
  run(1000);
  EXPECT_TRUE(bench.is_available(0));
  EXPECT_EQ(call("set_pin", R"("pin":"LED","level":"high")"), "LED is high.");
}

TEST_F(WorkbenchPins, APinThatCannotBeReadIsUnavailable) {
  wires[gp6].error = mcp::PinError::failed;
  wires[0].error = mcp::PinError::unsupported;
  EXPECT_EQ(call("read_pins", R"("pins":["GP6","A0"])"),
            "GP6: unavailable. The pin reports an error.\nA0: unavailable. The chip cannot do this with this pin.");
}

TEST_F(WorkbenchPins, APinThatDoesNotGoToRestStaysAwayFromIt) {
  call("set_pin", R"("pin":"LED","level":"high","for_ms":100)");
  wires[led].error = mcp::PinError::failed;
  run(100);
  EXPECT_FALSE(bench.is_at_rest(0));
  EXPECT_EQ(call("read_pins", R"("pins":["LED"])"),
            "LED: unavailable, it did not go to rest. The pin reports an error.");
  wires[led].error = mcp::PinError::none;
  run(1000);
  EXPECT_TRUE(bench.is_at_rest(0));
  EXPECT_TRUE(is_low(led));
}

// ---- read_pins and bench://pins ------------------------------------------------------------------------------------

TEST_F(WorkbenchPins, ReadPinsReadsAllPins) {
  wires[gp6].wire = mcp::FakePin::Wire::high;
  wires[0].millivolts = 1234;
  call("set_pin", R"("pin":"LED","level":"high","for_ms":500)");
  EXPECT_EQ(
      call("read_pins"),
      "LED: high, output of you, to rest in 500 ms\nHEATER: low, at rest\nFAN: high, at rest\nRELAY: low, at rest\n"
      "GP6: high, input\nBUTTON: high, input\nLASER: low, at rest\nVALVE: low, at rest\nA0: 1.234 V");
}

TEST_F(WorkbenchPins, ReadPinsShowsAShortCircuitThatCameLater) {
  call("set_pin", R"("pin":"LED","level":"high")");
  wires[led].wire = mcp::FakePin::Wire::low;
  EXPECT_EQ(call("read_pins", R"("pins":["LED"])"), "LED: low (driven high: short circuit?), output of you");
}

TEST_F(WorkbenchPins, TheResourceHasTheTable) {
  const std::string pins = read(alice, "bench://pins");
  EXPECT_NE(pins.find(R"("HEATER":{"uses":["output","pwm","hold"],"note":"heating mat","rest":"low","awayMs":60000,)"
                      R"("budgetMs":100000,"windowMs":400000})"),
            std::string::npos)
      << pins;
  EXPECT_NE(pins.find(R"("A0":{"uses":["analog"],"note":"potentiometer"})"), std::string::npos) << pins;
}

// ---- A fault -------------------------------------------------------------------------------------------------------

TEST_F(WorkbenchPins, AFaultPutsAllPinsToRest) {
  call("set_pin", R"("pin":"LED","level":"high")");
  call("set_pin", R"("pin":"GP6","level":"high")");
  call("set_pwm", R"("pin":"FAN","percent":20)");
  bench.rest_now();
  EXPECT_TRUE(is_low(led));
  EXPECT_TRUE(is_input(gp6));
  EXPECT_TRUE(is_high(fan));
}

}  // namespace
