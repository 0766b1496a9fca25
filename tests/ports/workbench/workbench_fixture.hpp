// SPDX-License-Identifier: Apache-2.0
// A workbench on fake pins and a fake bus, with a clock that the test sets, and clients of both eras.
#pragma once

#include <gtest/gtest.h>

#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/devices/lm75.hpp"
#include "mcp/ports/fake_i2c.hpp"
#include "mcp/ports/fake_pins.hpp"
#include "mcp/transport_info.hpp"
#include "mcp/workbench.hpp"
#include "support/bench.hpp"
#include "support/json.hpp"

namespace test {

inline mcp::Millis now_ms = 0;
inline mcp::Millis work_ms = 0;  // the time from one reading of the clock to the next one
inline mcp::Millis now() { return now_ms += work_ms; }

inline mcp::FakePin wires[64];
inline mcp::FakePins the_pins{wires};
inline mcp::Pins& pins() { return the_pins; }

// The room is at 0x48, the box at 0x49, the cellar at 0x4A.
inline mcp::FakeRegisters room_chip{0x48};
inline mcp::FakeRegisters box_chip{0x49};
inline mcp::FakeRegisters cellar_chip{0x4A};
inline mcp::FakeRegisters eeprom{0x50};
inline mcp::FakeRegisters expander{0x20};
inline mcp::FakeRegisters motor_chip{0x60};
inline mcp::FakeRegisters gyroscope{0x68};
inline mcp::FakeI2cDevice* const chips[] = {&room_chip, &box_chip,   &cellar_chip, &eeprom,
                                            &expander,  &motor_chip, &gyroscope};
inline mcp::FakeTransaction entries[256];
inline mcp::FakeI2c the_bus{chips, entries};
inline mcp::I2cBus& bus() { return the_bus; }

inline constexpr mcp::MeasureOptions each_second{.now = now, .interval_ms = 1000};
inline constexpr mcp::MeasureOptions each_5_seconds{.now = now, .interval_ms = 5000};
using Lm75 = mcp::Measured<mcp::Lm75, each_second>;
using SlowLm75 = mcp::Measured<mcp::Lm75, each_5_seconds>;
inline constinit Lm75 room{bus, 0x48};
inline constinit Lm75 box{bus, 0x49};
inline constinit SlowLm75 cellar{bus, 0x4A};

/// A client: a session, or stateless with a token or a name.
struct Client {
  mcp::SessionId session;
  std::uint64_t principal = 0;
  std::string name;
  bool is_stateless = false;
  bool can_elicit = true;
};

template <auto& bench, const mcp::Definition& definition>
class WorkbenchTest : public testing::Test {
 protected:
  WorkbenchTest() {
    now_ms = 0xFFFF'F000;  // it wraps
    work_ms = 0;
    for (mcp::FakePin& wire : wires) wire = {};
    the_pins.end_capture();
    for (mcp::FakeI2cDevice* chip : chips) {
      chip->is_present = true;
      for (int i = 0; i < 256; ++i) (*static_cast<mcp::FakeRegisters*>(chip))[static_cast<std::uint8_t>(i)] = 0;
    }
    set_celsius(room_chip, 20);
    set_celsius(box_chip, 20);
    the_bus.fail(mcp::BusError::none, 0);
    the_bus.hold_data_line(0);
    the_bus.clear_log();
    restart(room, 0x48);
    restart(box, 0x49);
    new (&cellar) SlowLm75(bus, 0x4A);
    new (&bench) std::remove_reference_t<decltype(bench)>();
    bench.begin();
    alice = open("alice");
  }

  static void restart(Lm75& sensor, std::uint8_t address) { new (&sensor) Lm75(bus, address); }
  static void set_celsius(mcp::FakeRegisters& chip, int celsius) { chip[0] = static_cast<std::uint8_t>(celsius); }

  /// A client with a session of its own.
  Client open(std::string_view name) {
    Client client{.session = server_.server.open(now_ms), .name = std::string(name)};
    initialize(client);
    return client;
  }
  /// The client begins again on its wire, in the slot that it has.
  void initialize(Client& client) {
    const std::string capabilities = client.can_elicit ? R"("elicitation":{})" : "";
    ask(client, "initialize",
        R"("protocolVersion":"2025-11-25","capabilities":{)" + capabilities + R"(},"clientInfo":{"name":")" +
            client.name + R"(","version":"1"})");
    server_.ask(client.session, R"({"jsonrpc":"2.0","method":"notifications/initialized"})", now_ms);
  }
  /// A client without a session, as over HTTP.
  Client stateless(std::string_view name, std::uint64_t principal) {
    if (shared_ == mcp::SessionId{}) shared_ = server_.server.open_shared(now_ms);
    return {.session = shared_, .principal = principal, .name = std::string(name), .is_stateless = true};
  }

  std::string send(const Client& client, std::string message) {
    const mcp::TransportInfo info(client.principal);
    const mcp::Reply reply =
        server_.server.receive(client.session, {message.data(), message.size()}, server_.server.transmit_buffer(),
                               now_ms, mcp::only_channel, client.principal != 0 ? &info : nullptr);
    std::string response(server_.server.transmit_buffer().data(), reply.size);
    // A job continues in the next steps.
    for (int i = 0; i < 3 && response.empty(); ++i) response = server_.next(client.session, now_ms);
    return response;
  }
  std::string ask(const Client& client, std::string_view method, const std::string& params) {
    std::string meta;
    if (client.is_stateless) {
      meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
             R"("io.modelcontextprotocol/clientInfo":{"name":")" +
             client.name + R"(","version":"1"},"io.modelcontextprotocol/clientCapabilities":{)" +
             (client.can_elicit ? R"("elicitation":{})" : "") + "}}";
      if (!params.empty()) meta += ',';
    }
    return send(client, R"({"jsonrpc":"2.0","id":)" + std::to_string(++id_) + R"(,"method":")" + std::string(method) +
                            R"(","params":{)" + meta + params + "}}");
  }
  /// The text of the result of a call, after `error: ` if it failed.
  std::string call(const Client& client, std::string_view tool, std::string_view arguments = "") {
    return text_of(ask(client, "tools/call",
                       R"("name":")" + std::string(tool) + R"(","arguments":{)" + std::string(arguments) + "}"));
  }
  std::string call(std::string_view tool, std::string_view arguments = "") { return call(alice, tool, arguments); }
  static std::string text_of(const std::string& response) {
    const std::optional<Json> json = parse_json(response);
    if (!json) return "no response: " + response;
    if (json->find("error") != nullptr) return "rpc error: " + json->text_at("error.message");
    const std::string text = json->text_at("result.content.0.text");
    return json->text_at("result.isError") == "true" ? "error: " + text : text;
  }
  std::string read(const Client& client, std::string_view uri) {
    const std::optional<Json> json = parse_json(ask(client, "resources/read", "\"uri\":\"" + std::string(uri) + "\""));
    return json ? json->text_at("result.contents.0.text") : "";
  }
  /// A request that is not for the workbench, but shows that the client lives.
  void ping(const Client& client) { ask(client, "ping", ""); }

  static mcp::Millis poll() { return bench.poll(server_of(), &mcp::workbench_resources<bench>[1]); }
  /// Polls when it is due, until `ms` have passed.
  static void run(mcp::Millis ms) {
    for (;;) {
      const mcp::Millis due = poll();
      if (due > ms) break;
      now_ms += due;
      ms -= due;
    }
    now_ms += ms;
    poll();
  }

  static bool is_high(std::size_t number) {
    return wires[number].mode == mcp::FakePin::Mode::output && wires[number].is_high;
  }
  static bool is_low(std::size_t number) {
    return wires[number].mode == mcp::FakePin::Mode::output && !wires[number].is_high;
  }
  static bool is_input(std::size_t number) { return wires[number].mode == mcp::FakePin::Mode::input; }

  static const mcp::Server& server_of() { return *current_; }

  Bench server_{definition, {.transmit_size = 4096, .sessions = 4, .jobs = 3, .job = 160, .client_info = 64}};
  Client alice;

 private:
  inline static const mcp::Server* current_ = nullptr;
  [[maybe_unused]] const mcp::Server* set_ = current_ = &server_.server;
  mcp::SessionId shared_ = {};
  int id_ = 0;
};

}  // namespace test
