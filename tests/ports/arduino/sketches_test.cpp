// SPDX-License-Identifier: Apache-2.0
// The sketches of the Arduino library, with the board and the clients of the tests.
#include <gtest/gtest.h>

#include <charconv>  // of the sketch Http
#include <coroutine>
#include <memory>
#include <string>
#include <string_view>

#include "arduino_fakes.hpp"

// The headers of the sketches, so that each sketch has a namespace of its own.
#include <LEAmDNS.h>
#include <LittleFS.h>
#include <WiFi.h>
#include <Wire.h>
#include <mote.h>
#include <mote_network.h>
#include <mote_pins.h>
#include <mote_wire.h>

#include <mcp/coroutine.hpp>
#include <mcp/devices/bme280.hpp>
#include <mcp/devices/lm75.hpp>
#include <mcp/devices/sensor_rows.hpp>
#include <mcp/http_tokens.hpp>
#include <mcp/http_transport.hpp>
#include <mcp/read_tools.hpp>
#include <mcp/settings.hpp>
#include <mcp/workbench.hpp>

namespace relay {
#include "examples/arduino/Relay/Relay.ino"
}
namespace sensor {
#include "examples/arduino/Sensor/Sensor.ino"
}
namespace workbench {
#include "examples/arduino/Workbench/Workbench.ino"
}
namespace http {
#include "examples/arduino/Http/Http.ino"
}

namespace {

using test::board;

// What a sketch writes to Serial for these bytes.
std::string say(void (*run)(), std::string_view bytes) {
  board.from_serial.clear();
  board.to_serial += bytes;
  for (int i = 0; i < 4; ++i) run();
  return board.from_serial;
}

const std::string initialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}})";
const std::string initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

TEST(Sketches, ThermometerReadsItsSensor) {
  board = {};
  setup();
  board.analog = 889;  // 716.235 mV
  EXPECT_NE(say(loop, initialize + "\n" + initialized + "\n").find(R"("name":"thermometer")"), std::string::npos);
  const std::string read =
      R"({"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"sensor://temperature"}})";
  EXPECT_NE(say(loop, read + "\n").find(R"({\"celsius\":21.623})"), std::string::npos) << board.from_serial;
  // The ends of the range.
  board.analog = 0;
  board.now_ms += 1'000;
  EXPECT_NE(say(loop, read + "\n").find(R"({\"celsius\":-50})"), std::string::npos) << board.from_serial;
  board.analog = 4095;
  board.now_ms += 1'000;
  EXPECT_NE(say(loop, read + "\n").find(R"({\"celsius\":279.919})"), std::string::npos) << board.from_serial;
  say(loop, R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"set_led","arguments":{"on":true}}})"
            "\n");
  EXPECT_EQ(board.pins[LED_BUILTIN], HIGH);
}

TEST(Sketches, RelaySwitchesOnlyWithConsent) {
  board = {};
  relay::setup();
  say(relay::loop, initialize + "\n" + initialized + "\n");
  const auto call = [](bool on, const char* action) {
    const std::string question = say(
        relay::loop, std::string(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"switch_relay",)") +
                         R"("arguments":{"on":)" + (on ? "true" : "false") + "}}}\n");
    const std::size_t id = question.find(R"("id":)");
    EXPECT_NE(question.find(R"("method":"elicitation/create")"), std::string::npos) << question;
    if (id == std::string::npos) return std::string();
    const std::string number = question.substr(id + 5, question.find(',', id) - id - 5);
    return say(relay::loop, R"({"jsonrpc":"2.0","id":)" + number + R"(,"result":{"action":")" + action +
                                R"(","content":{}}})" + "\n");
  };
  EXPECT_NE(call(true, "decline").find("The user declined. Call again only if the user asks for it. The relay is off."),
            std::string::npos);
  EXPECT_EQ(board.pins.count(relay::RELAY_PIN), 0U);
  EXPECT_NE(call(true, "accept").find("The relay is on."), std::string::npos);
  EXPECT_EQ(board.pins[relay::RELAY_PIN], HIGH);
  EXPECT_NE(call(false, "accept").find("The relay is off."), std::string::npos);
  EXPECT_EQ(board.pins[relay::RELAY_PIN], LOW);
}

TEST(Sketches, SensorServesARow) {
  board = {};
  sensor::setup();
  const std::string read = R"({"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"sensor://room"}})";
  EXPECT_NE(
      say(sensor::loop, initialize + "\n" + initialized + "\n" + read + "\n").find("LM75 at address 0x48: No device"),
      std::string::npos)
      << board.from_serial;
  // It is plugged in, and begins a measurement at the next interval.
  Wire.device = 0x48;
  Wire.registers = {{0, 0x15}, {1, 0x80}};
  board.now_ms += 1'000;
  say(sensor::loop, "");
  board.now_ms += 1'000;
  EXPECT_NE(say(sensor::loop, read + "\n").find(R"({\"temperature\":{\"value\":21.5,\"unit\":\"Cel\"},)"),
            std::string::npos)
      << board.from_serial;
  const std::string call =
      R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"read_room","arguments":{}}})";
  EXPECT_NE(say(sensor::loop, call + "\n").find(R"(\"value\":21.5)"), std::string::npos) << board.from_serial;
}

TEST(Sketches, WorkbenchPutsAPinToRest) {
  board = {};
  board.level = [](int pin) { return board.pins[pin]; };
  board.pins[14] = HIGH;
  workbench::setup();
  EXPECT_EQ(board.pins[14], LOW);
  say(workbench::loop, initialize + "\n" + initialized + "\n");
  const std::string set =
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"set_pin","arguments":{"pin":"D14","level":"high","for_ms":500}}})";
  EXPECT_NE(say(workbench::loop, set + "\n").find("D14 is high, and goes to rest in 500 ms."), std::string::npos)
      << board.from_serial;
  EXPECT_EQ(board.pins[14], HIGH);
  board.now_ms += 500;
  workbench::loop();
  EXPECT_EQ(board.pins[14], LOW);
}

// ---- HTTP ----------------------------------------------------------------------------------------------------------

constexpr std::string_view token = "a-long-random-word";

std::string request(std::string_view body, std::string_view bearer = token, std::string_view headers = "",
                    std::string_view host = "192.168.0.1") {
  return "POST /mcp HTTP/1.1\r\nHost: " + std::string(host) +
         "\r\nContent-Type: application/json\r\n"
         "Accept: application/json, text/event-stream\r\nAuthorization: Bearer " +
         std::string(bearer) + "\r\n" + std::string(headers) + "Content-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + std::string(body);
}

void run_http(int turns = 4) {
  for (int i = 0; i < turns; ++i) http::loop();
}

class HttpSketch : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    board = {};
    LittleFS = {};
    http::setup();
    say(http::loop, initialize + "\n" + initialized + "\n");
    set("wifi_ssid", "home");
    set("wifi_password", "its-password");
    set("token", token);
  }
  // Calls a tool on Serial.
  static std::string call(std::string_view tool, std::string_view arguments = "") {
    return say(http::loop, R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":")" + std::string(tool) +
                               R"(","arguments":{)" + std::string(arguments) + "}}}\n");
  }
  static void set(std::string_view name, std::string_view value) {
    const std::string response =
        call("setting_set", R"("name":")" + std::string(name) + R"(","value":")" + std::string(value) + '"');
    EXPECT_EQ(response.find("isError"), std::string::npos) << response;
  }
  // Each connection ends, so that the next test finds none.
  void TearDown() override {
    http::wifi.waiting.clear();
    for (const std::shared_ptr<Peer>& client : clients_) client->is_open = false;
    run_http();
    for (const std::shared_ptr<Peer>& client : clients_) EXPECT_EQ(client.use_count(), 1) << "still open";
  }
  Peer& connect() {
    clients_.push_back(http::wifi.connect());
    clients_.back()->address = static_cast<std::uint32_t>(clients_.size());
    return *clients_.back();
  }

 private:
  std::deque<std::shared_ptr<Peer>> clients_;
};

const std::string discover =
    R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})";
constexpr std::string_view discover_headers = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: server/discover\r\n";

TEST_F(HttpSketch, TakesItsSettingsOverSerial) {
  EXPECT_TRUE(LittleFS.has_begun);
  EXPECT_EQ(WiFi.network, "home");
  EXPECT_EQ(WiFi.password, "its-password");
  EXPECT_EQ(WiFi.blocked, 0U);
  EXPECT_TRUE(http::wifi.has_begun);
  EXPECT_NE(call("read_url").find("http://192.168.0.1/mcp"), std::string::npos) << board.from_serial;
  const std::string list = call("setting_list");
  EXPECT_NE(list.find("home"), std::string::npos) << list;
  EXPECT_EQ(list.find("its-password"), std::string::npos) << list;
  EXPECT_EQ(list.find(token), std::string::npos) << list;
}

TEST_F(HttpSketch, ReportsItsNetworkToAttach) {
  const auto network = [] {
    return say(http::loop, R"({"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"device://network"}})"
                           "\n");
  };
  EXPECT_NE(
      network().find(R"({\"state\":\"joined\",\"failures\":0,\"reason\":\"\",\"url\":\"http://192.168.0.1/mcp\"})"),
      std::string::npos)
      << board.from_serial;
  // A wrong password.
  WiFi.is_in_reach = false;
  WiFi.status_without = WL_CONNECT_FAILED;
  set("wifi_password", "its-wrong-password");
  EXPECT_NE(network().find(R"({\"state\":\"joining\",\"failures\":0,)"), std::string::npos) << board.from_serial;
  board.now_ms += 2'000;
  run_http(1);
  const std::string rejected = network();
  EXPECT_NE(rejected.find(R"(\"failures\":1,\"reason\":\"rejected; is the password right?\")"), std::string::npos)
      << rejected;
  EXPECT_EQ(rejected.find("its-wrong-password"), std::string::npos);
  // The settings are erased.
  call("setting_erase", R"("name":"wifi_ssid")");
  EXPECT_EQ(WiFi.network, "");
  EXPECT_NE(network().find(R"({\"state\":\"unset\")"), std::string::npos) << board.from_serial;
  call("setting_erase", R"("name":"wifi_password")");
  for (const auto& [path, content] : LittleFS.content) EXPECT_EQ(content.find("its-wrong-password"), std::string::npos);
  const std::string invalid = call("setting_set", R"("name":"wifi_password","value":"short")");
  EXPECT_NE(invalid.find("This is not a valid value of wifi_password."), std::string::npos) << invalid;
  // In the same loop() as the change, the report is not that of the network before.
  WiFi.is_in_reach = true;
  board.from_serial.clear();
  board.to_serial += R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"setting_set","arguments":)"
                     R"({"name":"wifi_ssid","value":"home"}}})"
                     "\n"
                     R"({"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"device://network"}})"
                     "\n";
  run_http();
  EXPECT_EQ(board.from_serial.find(R"({\"state\":\"unset\")"), std::string::npos) << board.from_serial;
  WiFi.status_without = WL_DISCONNECTED;
  set("wifi_password", "its-password");
  EXPECT_NE(network().find(R"({\"state\":\"joined\")"), std::string::npos) << board.from_serial;
}

TEST_F(HttpSketch, ABoardStartsWithItsSettings) {
  // After a reset, setup() and loop() read the files.
  WiFi = {};
  http::is_network_changed = http::is_token_changed = true;  // as at the start
  run_http();
  EXPECT_EQ(WiFi.network, "home");
  EXPECT_EQ(WiFi.password, "its-password");
}

TEST_F(HttpSketch, AnnouncesItselfForAttach) {
  EXPECT_EQ(MDNS.host, "led");
  EXPECT_EQ(MDNS.services, (std::map<std::string, std::uint16_t>{{"_mcp._tcp", 80}}));
  EXPECT_EQ(MDNS.texts, (std::map<std::string, std::string>{
                            {"_mcp._tcp path", "/mcp"}, {"_mcp._tcp proto", "http"}, {"_mcp._tcp auth", "bearer"}}));
  const unsigned updates = MDNS.updates;
  run_http(1);
  EXPECT_EQ(MDNS.updates, updates + 1);
  Peer& client = connect();
  client.to_server = request(initialize, token, "", "led.local");
  run_http();
  EXPECT_EQ(client.to_client.substr(0, 15), "HTTP/1.1 200 OK") << client.to_client;
}

TEST_F(HttpSketch, JoinsTheNetworkAgainAfterALoss) {
  const unsigned begins = WiFi.begins;
  const unsigned announcements = MDNS.begins;
  WiFi.is_in_reach = false;
  run_http();
  EXPECT_EQ(WiFi.begins, begins + 1);
  EXPECT_EQ(call("read_url").find("http://"), std::string::npos) << board.from_serial;
  board.now_ms += 14'999;
  run_http();
  EXPECT_EQ(WiFi.begins, begins + 1);
  board.now_ms += 1;
  run_http();
  EXPECT_EQ(WiFi.begins, begins + 2);
  EXPECT_EQ(MDNS.begins, announcements);
  WiFi.is_in_reach = true;
  run_http();
  EXPECT_EQ(WiFi.begins, begins + 2);
  EXPECT_EQ(MDNS.begins, announcements + 1) << "with the new address";
  Peer& client = connect();
  client.to_server = request(initialize);
  run_http();
  EXPECT_EQ(client.to_client.substr(0, 15), "HTTP/1.1 200 OK") << client.to_client;
}

TEST_F(HttpSketch, AnErasedTokenEndsTheAccess) {
  call("setting_erase", R"("name":"token")");
  Peer& client = connect();
  client.to_server = request(initialize);
  run_http();
  EXPECT_EQ(client.to_client.substr(0, 12), "HTTP/1.1 401");
  set("token", token);
  Peer& next = connect();
  next.to_server = request(initialize);
  run_http();
  EXPECT_EQ(next.to_client.substr(0, 15), "HTTP/1.1 200 OK");
}

TEST_F(HttpSketch, NeedsTheToken) {
  Peer& client = connect();
  client.to_server = request(initialize, "wrong");
  run_http();
  EXPECT_EQ(client.to_client.substr(0, 12), "HTTP/1.1 401");
}

TEST_F(HttpSketch, SwitchesTheLed) {
  Peer& client = connect();
  client.to_server = request(initialize);
  run_http();
  ASSERT_EQ(client.to_client.substr(0, 15), "HTTP/1.1 200 OK") << client.to_client;
  constexpr std::string_view header = "MCP-Session-Id: ";
  const std::size_t at = client.to_client.find(header);
  ASSERT_NE(at, std::string::npos);
  const std::string session = client.to_client.substr(at, client.to_client.find("\r\n", at) + 2 - at);
  client.to_client.clear();
  client.to_server =
      request(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"set_led","arguments":{"on":true}}})",
              token, session);
  run_http();
  EXPECT_NE(client.to_client.find("done"), std::string::npos) << client.to_client;
  EXPECT_EQ(board.pins[LED_BUILTIN], HIGH);
}

TEST_F(HttpSketch, ServesOthersWhileOneClientReadsSlowly) {
  Peer& slow = connect();
  slow.space = 1;
  slow.to_server = request(discover, token, discover_headers);
  run_http();
  EXPECT_EQ(slow.to_client, "H");
  Peer& fast = connect();
  fast.to_server = request(discover, token, discover_headers);
  run_http();
  ASSERT_EQ(fast.to_client.substr(0, 15), "HTTP/1.1 200 OK") << fast.to_client;
  while (slow.to_client.size() < fast.to_client.size()) {
    const std::size_t before = slow.to_client.size();
    slow.space = 7;
    run_http(1);
    ASSERT_GT(slow.to_client.size(), before);
  }
  EXPECT_EQ(slow.to_client, fast.to_client);
}

TEST_F(HttpSketch, ServesTheNextClientAfterOneLeftInTheMiddle) {
  Peer& client = connect();
  client.to_server = request(discover, token, discover_headers).substr(0, 200);
  run_http();
  client.is_open = false;
  run_http();
  EXPECT_TRUE(client.is_stopped);

  Peer& reader = connect();
  reader.space = 20;
  reader.to_server = request(discover, token, discover_headers);
  run_http();
  EXPECT_EQ(reader.to_client.size(), 20U);
  reader.is_open = false;
  run_http();
  EXPECT_TRUE(reader.is_stopped);

  Peer& last = connect();
  last.to_server = request(discover, token, discover_headers);
  run_http();
  EXPECT_EQ(last.to_client.substr(0, 15), "HTTP/1.1 200 OK");
}

TEST_F(HttpSketch, ServesMoreClientsThanItHasConnections) {
  constexpr std::size_t count = 7;
  Peer* clients[count];
  for (Peer*& client : clients) {
    client = &connect();
    client->to_server = request(discover, token, discover_headers);
  }
  // Idle connections are closed for the clients that wait, after HttpLimits::evict_idle_after_ms.
  for (int i = 0; i < 100; ++i) {
    run_http();
    board.now_ms += 100;
  }
  for (const Peer* client : clients) EXPECT_EQ(client->to_client.substr(0, 15), "HTTP/1.1 200 OK");
}

TEST_F(HttpSketch, ClosesAfterARequestThatAsksForIt) {
  Peer& client = connect();
  client.to_server = request(discover, token, std::string(discover_headers) + "Connection: close\r\n");
  run_http();
  EXPECT_EQ(client.to_client.substr(0, 15), "HTTP/1.1 200 OK");
  EXPECT_FALSE(client.is_stopped) << "the client may still read";
  board.now_ms += 200;
  run_http();
  EXPECT_TRUE(client.is_stopped);
}

}  // namespace
