// SPDX-License-Identifier: Apache-2.0
// How often an idle board with lwIP wakes in an hour, and why: its own deadlines, and frames. The client is no lwIP, so
// that all timers are those of the board. readme.battery compares the printed lines with ports/battery.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "handshake.hpp"
#include "mcp/http_transport.hpp"
#include "mcp/mqtt_transport.hpp"
#include "mcp/ports/lwip_dialer.hpp"
#include "mcp/server.hpp"
#include "support/mqtt_broker.hpp"

namespace {

using namespace test::handshake;

constexpr mcp::Millis hour = 3'600'000;

mcp::Errc read(mcp::ReadResult& out) { return out.text("here"); }
constexpr mcp::Resource resources[] = {{.uri = "door://state", .name = "state", .read = read, .subscribable = true}};
constexpr mcp::Definition definition{.name = "door", .version = "1", .resources = resources, .subscriptions = true};
constinit mcp::Storage<definition, mcp::Limits{.sessions = 2, .subscriptions = 1}> storage;
constinit const mcp::Server server{storage};
constinit mcp::Storage<definition, mcp::Limits{.sessions = 2, .subscriptions = 1}> of_broker;
constinit const mcp::Server broker_server{of_broker};
constexpr mcp::HttpLimits http_limits{.connections = 2};
constexpr mcp::HttpOptions options{};

struct WakeUps {
  unsigned deadlines = 0;
  unsigned frames = 0;
  [[nodiscard]] unsigned all() const { return deadlines + frames; }
};

// The board and one host, which answers each frame at once.
class LwipWakeUps : public Handshake {
 protected:
  Host client{.address = {10, 0, 0, 2}, .port = 5'000};
  std::string received;
  unsigned requests_of_arp = 0;

  virtual mcp::Millis poll_transport() = 0;
  // The host has read what is in `received`.
  virtual void read_received() {}

  void answer() {
    for (const test::Bytes& frame : std::exchange(tap.sent, {})) {
      const auto arp = test::read_arp(frame);
      if (arp && arp->operation == 1 && arp->to == client.address) {
        ++requests_of_arp;
        tap.received.push_back(test::arp_frame({2, client.mac, arp->to, board}, test::Tap::mac, test::Tap::mac));
      }
      const auto segment = test::read_tcp(frame);
      if (segment && segment->to_port == client.port) take(*segment);
    }
    read_received();
  }

  void take(const test::Segment& segment) {
    if ((segment.flags & test::syn) != 0) {  // of a dialer
      client.theirs = segment.sequence;
      to_port = segment.from_port;
      --client.sequence;
      put(test::syn | test::ack);
      ++client.sequence;
      return;
    }
    const bool is_probe = segment.data.size() <= 1 && segment.sequence == client.theirs;
    const bool is_next = segment.sequence == client.theirs + 1 && !segment.data.empty();
    if (is_next) {
      received += segment.data;
      client.theirs += static_cast<std::uint32_t>(segment.data.size());
    }
    if (is_next || is_probe) put(test::ack);
  }

  void put(unsigned flags, std::string_view data = {}) {
    tap.received.push_back(test::tcp_frame({.from = client.address,
                                            .to = board,
                                            .from_port = client.port,
                                            .to_port = to_port,
                                            .sequence = client.sequence + 1,
                                            .acknowledged = client.theirs + 1,
                                            .flags = flags,
                                            .window = client.window,
                                            .options = {},
                                            .data = std::string(data),
                                            .from_mac = client.mac,
                                            .to_mac = test::Tap::mac}));
    client.sequence += static_cast<std::uint32_t>(data.size());
  }

  // The main loop of a board that sleeps until each deadline, and until each frame.
  WakeUps idle(mcp::Millis ms) {
    const mcp::Millis end = now + ms;
    WakeUps wakes;
    for (unsigned turns = 0; turns < 1'000'000; ++turns) {
      const mcp::Millis due = std::min(poll_transport(), network.poll(now));
      if (due == 0) continue;
      answer();
      if (!tap.received.empty()) {
        ++wakes.frames;
      } else if (due > end - now) {
        now = end;
        return wakes;
      } else {
        now += due;
        ++wakes.deadlines;
      }
    }
    ADD_FAILURE() << "never idle";
    return wakes;
  }
};

void print(std::string_view name, WakeUps wakes) {
  std::printf("%u deadlines, %u frames\nwake-ups an hour, %.*s\t%u\n", wakes.deadlines, wakes.frames,
              static_cast<int>(name.size()), name.data(), wakes.all());
}

// ---- HTTP ----------------------------------------------------------------------------------------------------------

class LwipHttpWakeUps : public LwipWakeUps {
 protected:
  mcp::HttpStorage<storage, http_limits> http_storage;
  mcp::HttpTransport transport{server, *listener, entropy, http_storage, options};

  mcp::Millis poll_transport() override { return transport.poll(now); }

  void open_stream() {
    constexpr std::string_view body =
        R"({"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":)"
        R"(["door://state"]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
        R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
    const std::string head =
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, "
        "text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: "
        "subscriptions/listen\r\nContent-Length: " +
        std::to_string(body.size()) + "\r\n\r\n";
    send(client, test::syn);
    ASSERT_TRUE(connect(client, 1'000));
    put(test::ack, head);
    idle(100);
    put(test::ack, body);
    idle(1'000);
    EXPECT_NE(received.find("text/event-stream"), std::string::npos) << received;
  }
};

TEST_F(LwipHttpWakeUps, WithoutAClientForTheLinkAlone) {
  idle(60'000);
  const WakeUps wakes = idle(hour);
  EXPECT_EQ(wakes.frames, 0U);
  EXPECT_EQ(wakes.deadlines, 3'600U);
  print("HTTP over lwIP", wakes);
}

// The comments come with a look at the link. Each has an acknowledgement. ARP asks for a client in use when its entry
// is 270 to 300 s old, which depends on when the comments come.
TEST_F(LwipHttpWakeUps, WithAStreamForItsCommentsToo) {
  open_stream();
  idle(600'000);
  received.clear();
  requests_of_arp = 0;
  constexpr unsigned hours = 10;
  const WakeUps wakes = idle(hours * hour);
  EXPECT_EQ(received.size() / std::string_view("3\r\n:\n\n\r\n").size(), 240U * hours);
  EXPECT_EQ(wakes.frames, 240U * hours);
  EXPECT_GE(requests_of_arp / hours, 12U);
  EXPECT_LE(requests_of_arp / hours, 13U);
  EXPECT_EQ(wakes.deadlines, 3'600U * hours + requests_of_arp);
  print("HTTP over lwIP with a stream", {wakes.deadlines / hours, wakes.frames / hours});
}

// ---- MQTT ----------------------------------------------------------------------------------------------------------

class LwipMqttWakeUps : public LwipWakeUps {
 protected:
  test::FakeDialer fake;  // the end of the broker
  test::MqttBroker broker{fake};
  mcp::Connection* bridge = fake.dial("device", 1);
  mcp::lwip::DialedConnection dialed[1];
  mcp::lwip::TcpDialer dialer{network, dialed};
  mcp::MqttStorage<of_broker> mqtt_storage;
  mcp::MqttBroker brokers[1] = {{.host = "10.0.0.2"}};
  mcp::MqttOptions mqtt{
      .brokers = brokers, .server_id = "door-1", .server_name = "house/door", .description = "A door."};
  std::optional<mcp::MqttTransport> transport;

  LwipMqttWakeUps() {
    client.port = 1883;
    transport.emplace(broker_server, dialer, entropy, mqtt_storage, mqtt);
  }

  mcp::Millis poll_transport() override { return transport->poll(now); }
  void read_received() override {
    if (received.empty()) return;
    static_cast<void>(bridge->write(std::span<const char>(std::exchange(received, {}))));
    broker.run();
    char bytes[200];
    std::string answers;
    for (auto result = bridge->read(bytes); result.status == mcp::IoStatus::ok; result = bridge->read(bytes))
      answers.append(bytes, result.size);
    if (!answers.empty()) put(test::ack, answers);
  }
};

TEST_F(LwipMqttWakeUps, ForPings) {
  idle(600'000);
  ASSERT_EQ(transport->state(), mcp::MqttTransport::State::online);
  const WakeUps wakes = idle(hour);
  EXPECT_EQ(transport->state(), mcp::MqttTransport::State::online);
  EXPECT_NEAR(wakes.all(), 3'785, 1);
  print("MQTT over lwIP", wakes);
}

}  // namespace
