// SPDX-License-Identifier: Apache-2.0
// watch, bench://readings, and capture.
#include "ports/workbench/table.hpp"

namespace {

using namespace test;

class WorkbenchWatch : public WorkbenchOfTable {
 protected:
  bool is_notified() {
    bool is = false;
    for (;;) {
      const std::string message = server_.next(alice.session, now_ms);
      if (message.empty()) return is;
      is = is || message.find("bench://readings") != std::string::npos;
    }
  }
};

TEST_F(WorkbenchWatch, ReadsASensorAndRecordsIt) {
  run(500);
  EXPECT_EQ(call("watch", R"("reading":"room")"), "room is 20 Cel, 0 s ago. This is the first value.");
  set_celsius(room_chip, 23);
  run(1000);
  set_celsius(room_chip, 21);
  run(1000);
  EXPECT_EQ(call("watch", R"("reading":"room")"),
            "room is 21 Cel, 0 s ago. 3 values in 1 s: 20 to 23, mean 21.33. The newest first: 21 23 20.");
}

TEST_F(WorkbenchWatch, KeepsTheNewestValues) {
  run(500);
  call("watch", R"("reading":"room")");
  for (int i = 1; i < 10; ++i) {
    set_celsius(room_chip, -20 + i);
    run(1000);
  }
  EXPECT_EQ(call("watch", R"("reading":"room")"),
            "room is -11 Cel, 0 s ago. 6 values in 5 s: -16 to -11, mean -13.5. The newest first: -11 -12 -13 -14 -15 "
            "-16.");
}

TEST_F(WorkbenchWatch, ASensorWithoutAValueSaysWhatToDo) {
  EXPECT_EQ(call("watch", R"("reading":"room")"),
            "error: LM75 at address 0x48: It has not been measured yet. Try once more.");
  run(500);
  EXPECT_EQ(call("watch", R"("reading":"room")").rfind("room is 20 Cel", 0), 0U);
}

TEST_F(WorkbenchWatch, AThresholdNotifiesWhenItIsCrossed) {
  run(500);
  ask(alice, "resources/subscribe", R"("uri":"bench://readings")");
  box_chip.is_present = false;  // its error is known
  run(1000);
  EXPECT_EQ(call("watch", R"("reading":"room","above":25.5,"below":10)"),
            "room is 20 Cel, 0 s ago. This is the first value.");
  is_notified();
  run(3000);
  EXPECT_FALSE(is_notified());
  set_celsius(room_chip, 26);
  run(1000);
  EXPECT_TRUE(is_notified());
  run(1000);
  EXPECT_FALSE(is_notified());
  EXPECT_NE(call("watch", R"("reading":"room")").find(" It is above 25.5."), std::string::npos);
  EXPECT_NE(read(alice, "bench://readings")
                .find(R"("watch":{"count":6,"seconds":5,"minimum":20,"maximum":26,"mean":22,"notifyAbove":25.5,)"
                      R"("notifyBelow":10,"level":"above"})"),
            std::string::npos)
      << read(alice, "bench://readings");
  set_celsius(room_chip, 9);
  run(1000);
  EXPECT_TRUE(is_notified());
  EXPECT_NE(call("watch", R"("reading":"room")").find(" It is below 10."), std::string::npos);
}

TEST_F(WorkbenchWatch, WrongThresholdsAreRefused) {
  run(500);
  EXPECT_EQ(call("watch", R"("reading":"room","above":10,"below":20)"), "error: above must not be less than below.");
  EXPECT_EQ(call("watch", R"("reading":"room","above":1e12)"), "error: A threshold is too large for room.");
}

TEST_F(WorkbenchWatch, TheResourceHasTheValuesAndTheErrors) {
  run(500);
  box_chip.is_present = false;
  run(1500);
  EXPECT_EQ(
      read(alice, "bench://readings"),
      R"({"room":{"value":20,"unit":"Cel","secondsAgo":0},"box":{"problem":"No device acknowledges the address. )"
      R"(Check the address, the power and the wires."},"cellar":{"value":0,"unit":"Cel","secondsAgo":1},"holds":{}})");
}

// ---- capture -------------------------------------------------------------------------------------------------------

class WorkbenchCapture : public WorkbenchOfTable {
 protected:
  /// Calls capture, and gives edges when it runs.
  std::string capture(std::string_view arguments, const std::vector<std::uint32_t>& times, bool rises = true,
                      std::uint8_t pin = gp6) {
    const std::string first =
        send(alice, R"({"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"capture",)"
                    R"("arguments":{)" +
                        std::string(arguments) + "}}}");
    if (!first.empty()) return text_of(first);
    for (const std::uint32_t time : times) {
      the_pins.add_edge(pin, rises, time);
      rises = !rises;
    }
    wires[pin].wire = rises ? mcp::FakePin::Wire::low : mcp::FakePin::Wire::high;
    return end();
  }
  std::string end() {
    for (int i = 0; i < 1000; ++i) {
      now_ms += 20;
      const std::string message = server_.next(alice.session, now_ms);
      if (!message.empty()) return text_of(message);
    }
    return "no end";
  }
};

TEST_F(WorkbenchCapture, HasTheTimesTheFrequencyAndTheDuty) {
  EXPECT_EQ(
      capture(R"("pin":"GP6","for_ms":100)", {1000, 1250, 2000, 2250, 3000}),
      "5 edges in 100 ms. 1000 Hz, periods of 1000 to 1000 us. High for 25 % of the time. First edge rising. Times "
      "in us: 0 250 1000 1250 2000");
  EXPECT_EQ(capture(R"("pin":"GP6","for_ms":100)", {0, 250, 1000, 1250, 2000}, false),
            "5 edges in 100 ms. 1000 Hz, periods of 1000 to 1000 us. High for 75 % of the time. First edge falling. "
            "Times in us: 0 250 1000 1250 2000");
}

TEST_F(WorkbenchCapture, OneDirectionHasNoDuty) {
  EXPECT_EQ(capture(R"("pin":"BUTTON","edges":"rising","for_ms":10000)", {0, 1, 3000, 3001, 7000, 7001}, true, 7),
            "3 edges in 10000 ms. 285.7 Hz, periods of 3000 to 4000 us. Times in us: 0 3000 7000");
}

TEST_F(WorkbenchCapture, EndsEarlierIfTheMemoryIsFull) {
  std::vector<std::uint32_t> times;
  for (std::uint32_t i = 0; i < 20; ++i) times.push_back(0xFFFF'FFF0U + i * 10);  // they wrap
  EXPECT_EQ(
      capture(R"("pin":"GP6","for_ms":10000)", times),
      "16 edges in 20 ms, and the memory is full. 50000 Hz, periods of 20 to 20 us. Times in us: 0 10 20 30 40 50 "
      "60 70 80 90 100 110 120 130 140 150");
}

TEST_F(WorkbenchCapture, SaysThatEdgesAreMissing) {
  send(alice, R"({"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"capture","arguments":{"pin":"GP6",)"
              R"("for_ms":40}}})");
  the_pins.add_edge(gp6, true, 5);
  the_pins.lose_edges();
  EXPECT_EQ(end(), "1 edges in 40 ms. Some edges were too fast, and are missing. Times in us: 0");
}

TEST_F(WorkbenchCapture, WithoutAnEdgeItSaysTheLevel) {
  EXPECT_EQ(capture(R"("pin":"GP6","for_ms":100)", {}), "No edge in 100 ms. GP6 is low.");
}

TEST_F(WorkbenchCapture, OneRunsAtATimeAndNothingDrivesItsPin) {
  send(alice, R"({"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"capture","arguments":{"pin":"GP6",)"
              R"("for_ms":10000}}})");
  Client bob = open("bob");
  EXPECT_EQ(call(bob, "capture", R"("pin":"BUTTON")"), "error: Another capture is in progress. Wait for its end.");
  EXPECT_EQ(call(bob, "set_pin", R"("pin":"GP6","level":"high")"),
            "error: GP6 is captured. Wait for the end of capture.");
  EXPECT_EQ(call(bob, "read_pins", R"("pins":["GP6"])"), "GP6: low, captured");
  EXPECT_EQ(call(bob, "all_off"), "All pins are at rest, and all holds have ended.");
  EXPECT_EQ(end().rfind("No edge in 10000 ms.", 0), 0U);
  EXPECT_EQ(call(bob, "set_pin", R"("pin":"GP6","level":"high")"), "GP6 is high.");
}

TEST_F(WorkbenchCapture, AnOutputIsRefused) {
  call("set_pin", R"("pin":"GP6","level":"high")");
  EXPECT_EQ(capture(R"("pin":"GP6")", {}), "error: GP6 is an output. Set it to rest first.");
}

TEST_F(WorkbenchCapture, AnErrorOfThePortIsTold) {
  wires[gp6].error = mcp::PinError::unsupported;
  EXPECT_EQ(capture(R"("pin":"GP6")", {}), "error: GP6: The chip cannot do this with this pin.");
  wires[gp6].error = mcp::PinError::none;
  EXPECT_EQ(capture(R"("pin":"GP6","for_ms":40)", {}), "No edge in 40 ms. GP6 is low.") << "it does not stay in use";
}

TEST_F(WorkbenchCapture, EndsWhenItIsCancelled) {
  send(alice, R"({"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"capture","arguments":{"pin":"GP6",)"
              R"("for_ms":10000}}})");
  server_.ask(alice.session, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c"}})",
              now_ms);
  server_.next(alice.session, now_ms);
  EXPECT_EQ(capture(R"("pin":"BUTTON","for_ms":40)", {}, true, 7).rfind("No edge", 0), 0U);
}

TEST_F(WorkbenchCapture, EndsWhenItsClientReadsNothing) {
  const Client bob = open("bob");
  send(bob, R"({"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"capture","arguments":{"pin":"GP6",)"
            R"("for_ms":100}}})");
  run(11'999);  // no step of the job runs
  EXPECT_EQ(call("set_pin", R"("pin":"GP6","level":"high")").rfind("error: GP6 is captured", 0), 0U);
  run(1);
  // The late step of the old capture does not end the new one.
  send(alice, R"({"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"capture","arguments":{"pin":"GP6",)"
              R"("for_ms":100}}})");
  the_pins.add_edge(gp6, true, 5);
  EXPECT_NE(server_.next(bob.session, now_ms).find(R"("isError":true)"), std::string::npos);
  EXPECT_EQ(end(), "1 edges in 100 ms. Times in us: 0");
}

TEST_F(WorkbenchCapture, EndsWhenItsClientIsGone) {
  const Client bob = open("bob");
  send(bob, R"({"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"capture","arguments":{"pin":"GP6",)"
            R"("for_ms":10000}}})");
  server_.server.close(bob.session, now_ms);
  EXPECT_EQ(call("set_pin", R"("pin":"GP6","level":"high")"), "GP6 is high.");
  EXPECT_EQ(capture(R"("pin":"BUTTON","for_ms":40)", {}, true, 7).rfind("No edge", 0), 0U);
}

// ---- Edges while the level is read ---------------------------------------------------------------------------------

/// A pin with an edge each millisecond. `late` of them come when the level is read.
class BusyPin final : public mcp::Pins {
 public:
  void start(std::size_t edges, std::size_t late) {
    edges_ = edges;
    late_ = late;
    is_high_ = false;
  }

 private:
  mcp::PinError do_input(std::uint8_t, mcp::PinPull) override { return mcp::PinError::none; }
  mcp::PinError do_output(std::uint8_t, bool) override { return mcp::PinError::failed; }
  mcp::PinError do_level(std::uint8_t, bool& high) override {
    high = is_high_;
    if (late_ == 0 || times_.empty()) return mcp::PinError::none;
    --late_;
    add_edge();
    return mcp::PinError::none;
  }
  mcp::PinError do_begin_capture(std::uint8_t, mcp::PinEdges, std::span<std::uint32_t> times) override {
    times_ = times;
    count_ = 0;
    for (std::size_t i = 0; i < edges_; ++i) add_edge();
    return mcp::PinError::none;
  }
  Capture do_captured() override { return {count_, false}; }
  void do_end_capture() override { times_ = {}; }

  // High for 1 ms, low for 3 ms.
  void add_edge() {
    times_[count_] = static_cast<std::uint32_t>(count_ / 2 * 4000 + count_ % 2 * 1000);
    ++count_;
    is_high_ = !is_high_;
  }

  std::span<std::uint32_t> times_;
  std::size_t edges_ = 0;
  std::size_t late_ = 0;
  std::size_t count_ = 0;
  bool is_high_ = false;
};

BusyPin busy_pin;
mcp::Pins& busy_chip() { return busy_pin; }
constexpr mcp::WorkbenchPin captured_pins[] = {{.name = "IN", .number = 1, .uses = PinUse::input | PinUse::capture}};
constexpr mcp::WorkbenchOptions capture_options{
    .pins = captured_pins, .chip = busy_chip, .now = now, .capture_edges = 32};
constinit mcp::Workbench<capture_options> capture_bench;
constexpr mcp::Definition capture_definition{.name = "workbench",
                                             .version = "1",
                                             .tools = mcp::workbench_tools<capture_bench>,
                                             .resources = mcp::workbench_resources<capture_bench>,
                                             .audit = mcp::workbench_audit<capture_bench>};

class WorkbenchBusyPin : public WorkbenchTest<capture_bench, capture_definition> {
 protected:
  std::string capture(std::size_t edges, std::size_t late) {
    busy_pin.start(edges, late);
    send(alice, R"({"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"capture",)"
                R"("arguments":{"pin":"IN","for_ms":20}}})");
    now_ms += 20;
    return text_of(server_.next(alice.session, now_ms));
  }
};

TEST_F(WorkbenchBusyPin, AnEdgeAtTheEndDoesNotInvertTheDuty) {
  constexpr std::string_view duty = " Hz, periods of 4000 to 4000 us. High for 25 % of the time. First edge rising. ";
  for (std::size_t late = 0; late < 4; ++late) {
    const std::string text = capture(8, late);
    EXPECT_EQ(text.rfind(std::to_string(8 + late) + " edges in 20 ms. 250", 0), 0U) << text;
    EXPECT_NE(text.find(duty), std::string::npos) << text;
  }
}

TEST_F(WorkbenchBusyPin, IfNoLevelIsCertainThereIsNoDuty) {
  const std::string text = capture(8, 4);
  EXPECT_EQ(text.rfind("12 edges in 20 ms. 250 Hz, periods of 4000 to 4000 us. Times in us: ", 0), 0U) << text;
}

}  // namespace
