// SPDX-License-Identifier: Apache-2.0
// Holds: a reading is kept at a value, and each end has a reason.
#include "ports/workbench/table.hpp"

namespace {

using namespace test;

constexpr std::string_view box_at_30 =
    R"("reading":"box","at":30,"within":0.5,"pin":"FAN","action":"raise","minutes":60)";
constexpr std::string_view room_at_30 =
    R"("reading":"room","at":30,"within":1,"pin":"HEATER","action":"raise","minutes":10)";

class WorkbenchHold : public WorkbenchOfTable {
 protected:
  WorkbenchHold() { run(2000); }
  /// Lets time pass with requests of the client.
  void live(mcp::Millis ms) {
    for (; ms >= 1000; ms -= 1000) {
      run(1000);
      ping(alice);
    }
  }
  std::string holds() {
    const std::string readings = read(alice, "bench://readings");
    return readings.substr(readings.find("\"holds\""));
  }
};

TEST_F(WorkbenchHold, SwitchesAtTheDistanceFromTheTarget) {
  EXPECT_EQ(call("hold", room_at_30),
            "HEATER is on, and keeps room at 30 Cel for 10 min. room is 20 Cel. It ends if you send no request for 120 "
            "s.");
  EXPECT_TRUE(is_high(heater));
  set_celsius(room_chip, 30);
  live(2000);
  EXPECT_TRUE(is_high(heater)) << "within 1 of the target";
  set_celsius(room_chip, 31);
  live(2000);
  EXPECT_TRUE(is_low(heater));
  set_celsius(room_chip, 30);
  live(2000);
  EXPECT_TRUE(is_low(heater));
  set_celsius(room_chip, 28);
  live(2000);
  EXPECT_TRUE(is_high(heater));
  EXPECT_EQ(holds(), R"("holds":{"HEATER":{"reading":"room","at":30,"drives":true,"secondsLeft":592,"switches":3}}})");
}

TEST_F(WorkbenchHold, ANewOneLeavesTheEndOfAnotherReadable) {
  call("hold", room_at_30);
  call("set_pin", R"("pin":"HEATER","level":"rest")");
  call("hold", box_at_30);
  EXPECT_EQ(holds(), R"("holds":{"HEATER":{"reading":"room","at":30,"ended":"its client ended it","switches":1},)"
                     R"("FAN":{"reading":"box","at":30,"drives":true,"secondsLeft":3600,"switches":1}}})");
  call("hold", R"("reading":"room","at":30,"within":1,"pin":"VALVE","action":"raise","minutes":10)");
  EXPECT_EQ(holds().find("HEATER"), std::string::npos) << "there are two slots";
}

TEST_F(WorkbenchHold, LowersAReadingWithAPinThatRestsHigh) {
  set_celsius(box_chip, 40);
  run(1000);
  EXPECT_EQ(call("hold", R"("reading":"box","at":30,"within":0.5,"pin":"FAN","action":"lower","minutes":60)")
                .rfind("FAN is on, and keeps box at 30 Cel for 60 min. box is 40 Cel.", 0),
            0U);
  EXPECT_TRUE(is_low(fan));
  set_celsius(box_chip, 29);
  live(2000);
  EXPECT_TRUE(is_high(fan));
}

TEST_F(WorkbenchHold, SeveralHoldsRunAtATime) {
  call("hold", room_at_30);
  call("hold", box_at_30);
  EXPECT_TRUE(is_high(heater));
  EXPECT_TRUE(is_low(fan));
  EXPECT_EQ(call("hold", R"("reading":"box","at":30,"within":1,"pin":"VALVE","action":"raise","minutes":60)"),
            "error: All 2 holds are in use. Set the pin of one of them to rest, which ends it.");
  EXPECT_EQ(call("hold", R"("reading":"room","at":25,"within":1,"pin":"HEATER","action":"raise","minutes":5)")
                .rfind("HEATER is on, and keeps room at 25 Cel", 0),
            0U)
      << "the hold of a pin can be replaced";
  set_celsius(room_chip, 27);
  live(2000);
  EXPECT_TRUE(is_low(heater));
  EXPECT_TRUE(is_low(fan));
  call("set_pin", R"("pin":"FAN","level":"rest")");
  EXPECT_EQ(call("hold", R"("reading":"box","at":30,"within":1,"pin":"VALVE","action":"raise","minutes":60)")
                .rfind("VALVE is on", 0),
            0U);
}

TEST_F(WorkbenchHold, EndsAtOnceIfTheSensorIsLost) {
  call("hold", room_at_30);
  call("hold", box_at_30);
  room_chip.is_present = false;
  run(1000);
  EXPECT_TRUE(is_low(heater));
  EXPECT_TRUE(is_low(fan)) << "the other hold continues";
  EXPECT_EQ(call("read_pins", R"("pins":["HEATER"])"), "HEATER: low, at rest (the sensor was lost)");
  EXPECT_NE(holds().find(R"("HEATER":{"reading":"room","at":30,"ended":"the sensor was lost","switches":1})"),
            std::string::npos)
      << holds();
  room_chip.is_present = true;
  live(3000);
  EXPECT_TRUE(is_low(heater)) << "it does not begin again by itself";
}

TEST_F(WorkbenchHold, EndsIfThereIsNoNewValue) {
  run(4000);
  EXPECT_EQ(call("hold", R"("reading":"cellar","at":30,"within":0.5,"pin":"FAN","action":"raise","minutes":60)")
                .rfind("FAN is on", 0),
            0U);
  now_ms = cellar.measured_ms() + 2999;
  poll();
  EXPECT_TRUE(is_low(fan));
  now_ms += 1;
  poll();
  EXPECT_TRUE(is_high(fan));
  EXPECT_NE(holds().find("the sensor was lost"), std::string::npos) << holds();
}

TEST_F(WorkbenchHold, ContinuesIfAMeasurementTakesTime) {
  call("hold", room_at_30);
  work_ms = 1;
  for (int i = 0; i < 10; ++i) {
    now_ms += 500;
    poll();
  }
  EXPECT_TRUE(is_high(heater)) << holds();
}

TEST_F(WorkbenchHold, EndsByTheWishOfItsClientAlsoIfNoOtherToolDrivesThePin) {
  call("hold", R"("reading":"room","at":30,"within":1,"pin":"VALVE","action":"raise","minutes":5)");
  ASSERT_TRUE(is_high(valve));
  EXPECT_EQ(call("set_pin", R"("pin":"VALVE","level":"high")"), "error: VALVE takes rest only. Use another tool.");
  EXPECT_EQ(call(open("bob"), "set_pin", R"("pin":"VALVE","level":"rest")").rfind("error: VALVE is used by alice", 0),
            0U);
  ASSERT_TRUE(is_high(valve));
  EXPECT_EQ(call("set_pin", R"("pin":"VALVE","level":"rest")"), "VALVE is at rest.");
  EXPECT_TRUE(is_low(valve));
  EXPECT_NE(holds().find("its client ended it"), std::string::npos);
}

TEST_F(WorkbenchHold, DoesNotDriveAfterAMeasurementInWhichItsBudgetEnded) {
  constexpr mcp::Millis budget_ms = 100'000;
  // Returns when it began. It switches when a measurement ends.
  const auto heat = [&](mcp::Millis ms) {
    set_celsius(room_chip, 20);
    while (!is_high(heater)) run(1);
    const mcp::Millis begun_ms = now_ms;
    live(ms);
    set_celsius(room_chip, 40);
    return begun_ms;
  };
  set_celsius(room_chip, 40);
  live(2000);
  call("hold", room_at_30);
  mcp::Millis begun_ms = heat(50'000);
  while (is_high(heater)) run(1);
  const mcp::Millis left_ms = budget_ms - (now_ms - begun_ms);
  begun_ms = heat(left_ms - 1000);
  // The last measurement begins before the end of the budget, and ends after it.
  now_ms = begun_ms + left_ms - 10;
  work_ms = 8;
  poll();
  work_ms = 0;
  ASSERT_TRUE(is_low(heater));
  set_celsius(room_chip, 20);
  for (int i = 0; i < 3000; ++i) {
    ++now_ms;
    poll();
    ASSERT_TRUE(is_low(heater)) << "there is no time left";
  }
  EXPECT_EQ(call("read_pins", R"("pins":["HEATER"])"), "HEATER: low, at rest (its budget was used up)");
}

TEST_F(WorkbenchHold, EndsAtTheBoundsOfTheReading) {
  call("hold", room_at_30);
  set_celsius(room_chip, 61);
  run(1000);
  EXPECT_TRUE(is_low(heater));
  EXPECT_EQ(call("read_pins", R"("pins":["HEATER"])"), "HEATER: low, at rest (the reading was out of its bounds)");
}

TEST_F(WorkbenchHold, ALowReadingIsNoBoundForAHoldThatRaisesIt) {
  set_celsius(room_chip, 2);
  run(1000);
  EXPECT_EQ(call("hold", room_at_30).rfind("HEATER is on", 0), 0U);
}

TEST_F(WorkbenchHold, EndsWhenItsTimeIsOver) {
  call("hold", R"("reading":"box","at":30,"within":0.5,"pin":"FAN","action":"raise","minutes":3)");
  live(179'000);
  EXPECT_TRUE(is_low(fan));
  live(1000);
  EXPECT_TRUE(is_high(fan));
  EXPECT_EQ(call("read_pins", R"("pins":["FAN"])"), "FAN: high, at rest (its time was over)");
}

TEST_F(WorkbenchHold, EndsAtTheLimitOfThePin) {
  call("hold", room_at_30);
  live(59'000);
  EXPECT_TRUE(is_high(heater));
  live(1000);
  EXPECT_TRUE(is_low(heater));
  EXPECT_NE(holds().find("it was away from rest for as long as it may"), std::string::npos) << holds();
}

TEST_F(WorkbenchHold, EndsWhenItsClientIsGone) {
  call("hold", box_at_30);
  run(119'999);
  EXPECT_TRUE(is_low(fan));
  run(1);
  EXPECT_TRUE(is_high(fan));
  EXPECT_NE(holds().find("its client was gone"), std::string::npos) << holds();
}

TEST_F(WorkbenchHold, ContinuesWithoutItsClientIfTheTableSaysSo) {
  EXPECT_EQ(call("hold", R"("reading":"box","at":30,"within":0.5,"pin":"VALVE","action":"raise","minutes":5)"),
            "VALVE is on, and keeps box at 30 Cel for 5 min. box is 20 Cel.");
  run(299'999);
  EXPECT_TRUE(is_high(valve));
  const Client bob = open("bob");
  EXPECT_EQ(call(bob, "hold", R"("reading":"box","at":10,"within":0.5,"pin":"VALVE","action":"raise","minutes":5)")
                .rfind("VALVE is off, and keeps box at 10 Cel", 0),
            0U)
      << "a client that is gone keeps no pin from another";
}

TEST_F(WorkbenchHold, EndsAtTheWishOfItsClientOnly) {
  const Client bob = open("bob");
  call("hold", room_at_30);
  EXPECT_EQ(call(bob, "set_pin", R"("pin":"HEATER","level":"rest")").rfind("error: HEATER is used by alice", 0), 0U);
  EXPECT_EQ(call(bob, "hold", room_at_30).rfind("error: HEATER is used by alice", 0), 0U);
  EXPECT_EQ(call("set_pin", R"("pin":"HEATER","level":"high")"),
            "error: HEATER is driven by hold. Set it to rest first, which ends the hold.");
  EXPECT_EQ(call("set_pwm", R"("pin":"HEATER","percent":10)").rfind("error: HEATER is driven by hold", 0), 0U);
  EXPECT_EQ(call("set_pin", R"("pin":"HEATER","level":"rest")"), "HEATER is at rest.");
  EXPECT_NE(holds().find(R"("ended":"its client ended it")"), std::string::npos) << holds();
  live(2000);
  EXPECT_TRUE(is_low(heater));
}

TEST_F(WorkbenchHold, AShortCircuitEndsIt) {
  call("hold", room_at_30);
  set_celsius(room_chip, 40);
  live(2000);
  wires[heater].wire = mcp::FakePin::Wire::low;
  set_celsius(room_chip, 20);
  live(2000);
  EXPECT_NE(holds().find("short circuit"), std::string::npos) << holds();
}

TEST_F(WorkbenchHold, AnErrorOfThePinEndsIt) {
  call("hold", room_at_30);
  set_celsius(room_chip, 40);
  wires[heater].error = mcp::PinError::failed;
  live(2000);
  EXPECT_NE(holds().find("the pin reported an error"), std::string::npos) << holds();
  EXPECT_FALSE(bench.is_available(1));
}

TEST_F(WorkbenchHold, TargetsOutOfBoundsAreRefused) {
  EXPECT_EQ(call("hold", R"("reading":"room","at":61,"within":1,"pin":"HEATER","action":"raise","minutes":10)"),
            "error: at must be from 5 Cel to 60 Cel.");
  EXPECT_EQ(call("hold", R"("reading":"room","at":1e30,"within":1,"pin":"HEATER","action":"raise","minutes":10)"),
            "error: at must be from 5 Cel to 60 Cel.");
  EXPECT_EQ(call("hold", R"("reading":"box","at":-55.01,"within":1,"pin":"FAN","action":"raise","minutes":10)"),
            "error: at must be from -55 Cel to 125 Cel.");
  EXPECT_EQ(call("hold", R"("reading":"room","at":30,"within":0,"pin":"HEATER","action":"raise","minutes":10)"),
            "error: within must be from 0.01 Cel to 55 Cel.");
  EXPECT_EQ(call("hold", R"("reading":"room","at":30,"within":-1,"pin":"HEATER","action":"raise","minutes":10)"),
            "error: within must be from 0.01 Cel to 55 Cel.");
  EXPECT_EQ(call("hold", R"("reading":"room","at":30,"within":1,"pin":"HEATER","action":"raise","minutes":601)")
                .rfind("error: Argument \"minutes\"", 0),
            0U);
  EXPECT_TRUE(is_low(heater));
}

TEST_F(WorkbenchHold, AReadingWithoutAValueIsRefused) {
  room_chip.is_present = false;
  run(1000);
  EXPECT_EQ(call("hold", room_at_30),
            "error: LM75 at address 0x48: No device acknowledges the address. Check the address, the power and the "
            "wires.");
}

TEST_F(WorkbenchHold, AnInterlockEndsNoOtherHold) {
  call("hold", room_at_30);
  is_lid_closed = false;
  live(1000);
  EXPECT_TRUE(is_high(heater));
}

TEST_F(WorkbenchHold, SubscribersAreNotifiedOfItsEnd) {
  ask(alice, "resources/subscribe", R"("uri":"bench://readings")");
  call("hold", box_at_30);
  run(10);
  while (!server_.next(alice.session, now_ms).empty()) {
  }
  call("set_pin", R"("pin":"FAN","level":"rest")");
  poll();
  EXPECT_NE(server_.next(alice.session, now_ms).find("bench://readings"), std::string::npos);
}

}  // namespace
