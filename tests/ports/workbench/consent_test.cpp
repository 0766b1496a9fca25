// SPDX-License-Identifier: Apache-2.0
// Calls to which the user has to consent, with clients of both eras. And a table with more than 32 pins.
#include <array>

#include "ports/workbench/workbench_fixture.hpp"

namespace {

using namespace test;
using mcp::PinRest;
using mcp::PinUse;

constexpr std::size_t lock = 33;
constexpr std::size_t motor = 34;

// 32 pins, and those that need consent after them.
template <std::size_t... i>
constexpr auto make_pins(std::index_sequence<i...>) {
  constexpr std::array<std::string_view, 32> names = {
      "P0",  "P1",  "P2",  "P3",  "P4",  "P5",  "P6",  "P7",  "P8",  "P9",  "P10", "P11", "P12", "P13", "P14", "P15",
      "P16", "P17", "P18", "P19", "P20", "P21", "P22", "P23", "P24", "P25", "P26", "P27", "P28", "P29", "P30", "P31"};
  return std::array<mcp::WorkbenchPin, 35>{
      mcp::WorkbenchPin{.name = names[i], .number = i, .uses = PinUse::input | PinUse::output}...,
      mcp::WorkbenchPin{.name = "P32", .number = 32, .uses = PinUse::input},
      mcp::WorkbenchPin{.name = "LOCK",
                        .number = lock,
                        .uses = PinUse::output | PinUse::hold,
                        .rest = PinRest::low,
                        .note = "bolt of the door",
                        .away_ms = 5000,
                        .is_dangerous = true},
      mcp::WorkbenchPin{
          .name = "MOTOR", .number = motor, .uses = PinUse::pwm, .rest = PinRest::low, .is_dangerous = true}};
}
constexpr auto pins_of_35 = make_pins(std::make_index_sequence<32>());
constexpr mcp::I2cRule rules[] = {{.first = 0x60, .last = 0x60, .access = mcp::I2cAccess::ask, .note = "motor driver"}};
constexpr mcp::WorkbenchReading readings[] = {{.name = "room", .sensor = &room}};
constexpr mcp::WorkbenchOptions options{
    .pins = pins_of_35, .chip = pins, .now = now, .i2c = bus, .i2c_rules = rules, .readings = readings, .holds = 1};
constinit mcp::Workbench<options> consent_bench;
constexpr mcp::Definition consent_definition{.name = "workbench",
                                             .version = "1",
                                             .tools = mcp::workbench_tools<consent_bench>,
                                             .resources = mcp::workbench_resources<consent_bench>,
                                             .audit = mcp::workbench_audit<consent_bench>};

class WorkbenchConsent : public WorkbenchTest<consent_bench, consent_definition> {
 protected:
  /// The message of the input request that a call of a client with a session causes; else the text of the result.
  std::string begin(const Client& client, std::string_view tool, std::string_view arguments) {
    const std::string response = ask(
        client, "tools/call", R"("name":")" + std::string(tool) + R"(","arguments":{)" + std::string(arguments) + "}");
    const std::optional<Json> json = parse_json(response);
    if (!json || json->text_at("method") != "elicitation/create") return text_of(response);
    request_ = json->at("id")->raw;
    return json->text_at("params.message");
  }
  /// The result after the input response.
  std::string answer(const Client& client, std::string_view action) {
    return text_of(send(client, R"({"jsonrpc":"2.0","id":)" + request_ + R"(,"result":{"action":")" +
                                    std::string(action) + R"(","content":{}}})"));
  }

  std::string request_;
};

constexpr std::string_view lock_high = R"("pin":"LOCK","level":"high","for_ms":1000)";

TEST_F(WorkbenchConsent, TheUserConsentsToADangerousPin) {
  EXPECT_EQ(begin(alice, "set_pin", lock_high), "Set LOCK (bolt of the door) high for at most 1000 ms?");
  EXPECT_TRUE(is_low(lock)) << "nothing is driven while the user thinks";
  EXPECT_EQ(answer(alice, "accept"), "LOCK is high, and goes to rest in 1000 ms.");
  EXPECT_TRUE(is_high(lock));
  EXPECT_EQ(call("set_pin", R"("pin":"LOCK","level":"rest")"), "LOCK is at rest.") << "rest needs no consent";
}

TEST_F(WorkbenchConsent, ARefusalOfTheUserChangesNothing) {
  begin(alice, "set_pin", lock_high);
  const std::string declined = answer(alice, "decline");
  EXPECT_EQ(declined.rfind("error: ", 0), 0U);
  EXPECT_NE(declined.find("Nothing was changed."), std::string::npos) << declined;
  EXPECT_TRUE(is_low(lock));
  begin(alice, "set_pin", lock_high);
  EXPECT_EQ(answer(alice, "cancel").rfind("error: ", 0), 0U);
  EXPECT_TRUE(is_low(lock));
}

TEST_F(WorkbenchConsent, AClientThatCannotAskItsUserIsRefused) {
  Client bob{.session = server_.server.open(now_ms), .name = "bob", .can_elicit = false};
  initialize(bob);
  EXPECT_EQ(begin(bob, "set_pin", lock_high).rfind("error: ", 0), 0U);
  EXPECT_TRUE(is_low(lock));
}

TEST_F(WorkbenchConsent, APinThatIsNotDangerousNeedsNoConsent) {
  EXPECT_EQ(call("set_pin", R"("pin":"P31","level":"high")"), "P31 is high.");
}

TEST_F(WorkbenchConsent, NoUserIsAskedForACallThatIsRefused) {
  wires[lock].error = mcp::PinError::failed;
  consent_bench.begin();
  EXPECT_EQ(begin(alice, "set_pin", lock_high).rfind("error: LOCK is unavailable", 0), 0U);
}

TEST_F(WorkbenchConsent, NoUserIsAskedForAValueThatThePinDoesNotTake) {
  EXPECT_EQ(begin(alice, "set_pin", R"("pin":"LOCK","level":"high","for_ms":5001)"),
            "error: LOCK may be away from rest for at most 5000 ms. Give a shorter for_ms.");
  EXPECT_EQ(begin(alice, "set_pwm", R"("pin":"MOTOR","percent":30,"hz":50001)"),
            "error: MOTOR takes at most 50000 Hz.");
  run(1000);
  EXPECT_EQ(begin(alice, "hold", R"("reading":"room","at":200,"within":1,"pin":"LOCK","action":"raise","minutes":7)")
                .rfind("error: at must be from ", 0),
            0U);
  EXPECT_EQ(begin(alice, "hold", R"("reading":"room","at":25,"within":0,"pin":"LOCK","action":"raise","minutes":7)")
                .rfind("error: within must be from ", 0),
            0U);
}

TEST_F(WorkbenchConsent, TheStateIsCheckedAgainAfterTheConsent) {
  const Client bob = open("bob");
  begin(alice, "set_pin", lock_high);
  const std::string of_alice = request_;
  begin(bob, "set_pin", lock_high);
  EXPECT_EQ(answer(bob, "accept").rfind("LOCK is high", 0), 0U);
  request_ = of_alice;
  EXPECT_EQ(answer(alice, "accept").rfind("error: LOCK is used by bob. ", 0), 0U);
}

TEST_F(WorkbenchConsent, TheConsentEndsWithItsTime) {
  begin(alice, "set_pin", lock_high);
  now_ms += 60'001;
  const std::string message = server_.next(alice.session, now_ms) + server_.next(alice.session, now_ms);
  EXPECT_NE(message.find("\"isError\":true"), std::string::npos) << message;
  answer(alice, "accept");
  EXPECT_TRUE(is_low(lock)) << "an answer that comes too late";
}

TEST_F(WorkbenchConsent, TheConsentEndsWithItsClient) {
  const Client bob = open("bob");
  begin(bob, "set_pin", lock_high);
  server_.server.close(bob.session, now_ms);
  EXPECT_FALSE(server_.anything_left());
  EXPECT_TRUE(is_low(lock));
}

TEST_F(WorkbenchConsent, PulsesAndHoldsAndWritesNeedConsent) {
  run(1000);
  EXPECT_EQ(begin(alice, "set_pwm", R"("pin":"MOTOR","percent":30)"),
            "Set MOTOR high for 30 % of the time, at 1000 Hz?");
  EXPECT_EQ(answer(alice, "accept"), "MOTOR is high for 30 % of the time, at 1000 Hz.");
  EXPECT_EQ(call("set_pwm", R"("pin":"MOTOR","percent":0)"), "MOTOR is at rest.");
  EXPECT_EQ(begin(alice, "hold", R"("reading":"room","at":25.5,"within":1,"pin":"LOCK","action":"raise","minutes":7)"),
            "Keep room at 25.5 Cel by LOCK (bolt of the door) for 7 min: on while it is below, within 1 Cel?");
  answer(alice, "decline");
  EXPECT_EQ(
      begin(alice, "hold", R"("reading":"room","at":25.5,"within":2.5,"pin":"LOCK","action":"lower","minutes":7)"),
      "Keep room at 25.5 Cel by LOCK (bolt of the door) for 7 min: on while it is above, within 2.5 Cel?");
  answer(alice, "decline");
  begin(alice, "hold", R"("reading":"room","at":25.5,"within":1,"pin":"LOCK","action":"raise","minutes":7)");
  EXPECT_EQ(answer(alice, "accept").rfind("LOCK is on, and keeps room at 25.5 Cel", 0), 0U);
  EXPECT_EQ(begin(alice, "i2c", R"("address":"0x60","write":"0142")"),
            "Write 0142 to the I2C device at 0x60 (motor driver)?");
  EXPECT_EQ(motor_chip[1], 0);
  EXPECT_EQ(answer(alice, "accept"), "Wrote 2 bytes.");
  EXPECT_EQ(motor_chip[1], 0x42);
  EXPECT_EQ(call("i2c", R"("address":"0x60","write":"01","read":1)"), "42 (66)") << "a read needs no consent";
  EXPECT_EQ(call("i2c", R"("address":"0x00","write":"01")").rfind("error: address must be", 0), 0U);
}

TEST_F(WorkbenchConsent, AStatelessClientCannotBringTheConsent) {
  const Client bob = stateless("bob", 5);
  const std::string call_with_consent =
      R"("name":"set_pin","arguments":{"pin":"LOCK","level":"high"},"inputResponses":{"answer":{"action":"accept","content":{}}})";
  const std::string first = ask(bob, "tools/call", call_with_consent);
  EXPECT_NE(first.find("Set LOCK (bolt of the door) high for at most 5000 ms?"), std::string::npos) << first;
  EXPECT_TRUE(is_low(lock));
  const std::optional<Json> json = parse_json(first);
  ASSERT_TRUE(json);
  const std::string state = json->text_at("result.requestState");
  ASSERT_FALSE(state.empty()) << first;
  EXPECT_EQ(text_of(ask(bob, "tools/call", call_with_consent + R"(,"requestState":")" + state + "\"")),
            "LOCK is high, and goes to rest in 5000 ms.");
  EXPECT_TRUE(is_high(lock));
  call(bob, "set_pin", R"("pin":"LOCK","level":"rest")");
  EXPECT_TRUE(is_low(lock));
  ask(bob, "tools/call", call_with_consent + R"(,"requestState":")" + state + "\"");
  EXPECT_TRUE(is_low(lock)) << "a consent is for one call";
}

// ---- More than 32 pins ---------------------------------------------------------------------------------------------

TEST_F(WorkbenchConsent, ReadPinsHasAnyNumberOfPins) {
  wires[0].wire = mcp::FakePin::Wire::high;
  wires[32].wire = mcp::FakePin::Wire::low;
  const std::string all = call("read_pins");
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 34) << all;
  EXPECT_NE(all.find("P0: high, input\n"), std::string::npos);
  EXPECT_NE(all.find("P32: low, input\n"), std::string::npos);
  wires[32].wire = mcp::FakePin::Wire::high;
  EXPECT_EQ(call("read_pins", R"("pins":["P32"])"), "P32: high, input");
  EXPECT_EQ(call("read_pins", R"("pins":["P1","P31","P32"])"), "P1: low, input\nP31: low, input\nP32: high, input");
}

class WorkbenchSmallBuffer : public WorkbenchConsent {};

TEST_F(WorkbenchSmallBuffer, ReadPinsSaysWhatDoesNotFit) {
  Bench small{consent_definition, {.transmit_size = 600, .sessions = 1, .jobs = 1, .job = 160, .client_info = 64}};
  const mcp::SessionId session = small.server.open(now_ms);
  small.ask(
      session,
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
      R"("clientInfo":{"name":"c","version":"1"}}})",
      now_ms);
  const std::string response = text_of(small.ask(
      session, R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_pins","arguments":{}}})",
      now_ms));
  EXPECT_EQ(response.rfind("P0: ", 0), 0U) << response;
  EXPECT_NE(response.find("\nThere is no space for the others: name them in pins."), std::string::npos) << response;
}

}  // namespace
