// SPDX-License-Identifier: Apache-2.0
// A device on a broker that the tests play, and the messages of its clients.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/mqtt_transport.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/mqtt_broker.hpp"

namespace test::mqtt {

using State = mcp::MqttTransport::State;
using mcp::mqtt::Reason;

inline constexpr mcp::ServerShape shape{.sessions = 4, .transmit_size = 2048, .has_scopes = true};
inline constexpr mcp::MqttLimits limits{.calls = 3, .in_flight = 4};

inline constexpr mcp::MqttBroker brokers[] = {{.host = "first.example"}, {.host = "second.example", .port = 8883}};
inline constexpr mcp::MqttOptions plain{.brokers = brokers,
                                        .server_id = "boiler-7",
                                        .server_name = "house/boiler",
                                        .description = "Heats the \"house\".",
                                        .keep_alive_s = 60};

inline constexpr std::string_view control = "$mcp-server/boiler-7/house/boiler";
inline constexpr std::string_view presence = "$mcp-server/presence/boiler-7/house/boiler";
inline constexpr std::string_view capability = "$mcp-server/capability/boiler-7/house/boiler";

inline std::string rpc_of(std::string_view client) {
  return "$mcp-rpc/" + std::string(client) + "/boiler-7/house/boiler";
}

inline constexpr std::string_view meta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

inline std::string request(std::string_view id, std::string_view method, std::string_view params = "") {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) + R"(","params":{)" +
         std::string(params) + "}}";
}
inline std::string call(std::string_view id, std::string_view tool, std::string_view more = "") {
  return request(id, "tools/call", R"("name":")" + std::string(tool) + '"' + std::string(more));
}
inline std::string initialize(std::string_view id = "0", std::string_view capabilities = "{}") {
  return request(id, "initialize",
                 R"("protocolVersion":"2025-11-25","clientInfo":{"name":"c","version":"1"},"capabilities":)" +
                     std::string(capabilities));
}

inline const mcp::Definition& full() { return *find_definition("full"); }

class MqttTransportTest : public testing::Test {
 protected:
  void SetUp() override { reset_device(); }

  template <mcp::MqttLimits L = limits>
  void start(const mcp::Definition& definition = full(), const mcp::MqttOptions& the_options = plain) {
    bench_.emplace(definition, Sizes{.receive_size = 1024,
                                     .transmit_size = 2048,
                                     .sessions = 4,
                                     .id = id_size_,
                                     .jobs = 6,
                                     .streams = 2,
                                     .subscriptions = 2,
                                     .tasks = 2});
    options_.emplace(the_options);
    const auto storage = std::make_shared<mcp::MqttStorage<shape, L>>();
    transport_.emplace(bench_->server, dialer_, bench_->entropy, *storage, *options_);
    storage_ = storage;
  }
  // Until neither side has more to do.
  void run() {
    for (int i = 0; i < 1000; ++i) {
      due_ = transport_->poll(now_);
      const std::size_t before = broker_.log.size() + broker_.connects;
      if (!dialer_.connections.empty()) broker_.run();
      if (due_ != 0 && broker_.log.size() + broker_.connects == before) return;
    }
    ADD_FAILURE() << "never idle";
  }
  void pass(mcp::Millis ms) {
    now_ += ms;
    run();
  }
  template <mcp::MqttLimits L = limits>
  void connect(const mcp::Definition& definition = full(), const mcp::MqttOptions& options = plain) {
    start<L>(definition, options);
    run();
    ASSERT_EQ(transport_->state(), State::online);
    broker_.take_messages();
    broker_.log.clear();
  }
  // What the device publishes after a message. `payload` of the only message on the topic of the client.
  std::string ask(std::string_view topic, std::string_view payload, std::string_view client = "client") {
    broker_.publish(topic, payload, client);
    run();
    return heard(client);
  }
  std::string heard(std::string_view client = "client") {
    std::string all;
    for (const MqttMessage& message : broker_.take_messages()) {
      if (message.topic == rpc_of(client)) {
        all += (all.empty() ? "" : "\n") + message.payload;
      } else {
        others_.push_back(message);
      }
    }
    return all;
  }
  void begin_session(std::string_view client = "client") { begin_session_with("{}", client); }
  void begin_session_with(std::string_view capabilities, std::string_view client = "client") {
    EXPECT_NE(ask(control, initialize("0", capabilities), client).find(R"("protocolVersion":"2025-11-25")"),
              std::string::npos);
    EXPECT_EQ(ask(rpc_of(client), R"({"jsonrpc":"2.0","method":"notifications/initialized"})", client), "");
    broker_.log.clear();
  }
  // A session on a broker that takes one message at a time, and has not acknowledged the response to request 1.
  void begin_session_with_a_response_in_flight() {
    broker_.connack_properties = std::string("\x21\0\x01", 3);
    connect();
    begin_session();
    broker_.acknowledges = false;
    EXPECT_NE(ask(rpc_of("client"), request("1", "ping")), "");
  }
  [[nodiscard]] bool has_filter(std::string_view filter) const {
    return broker_.filters.count(std::string(filter)) != 0;
  }

  std::size_t id_size_ = 40;
  FakeDialer dialer_;
  MqttBroker broker_{dialer_};
  std::optional<Bench> bench_;
  std::optional<mcp::MqttOptions> options_;
  std::shared_ptr<void> storage_;
  std::optional<mcp::MqttTransport> transport_;
  std::vector<MqttMessage> others_;
  mcp::Millis now_ = 1000;
  mcp::Millis due_ = 0;
};

}  // namespace test::mqtt
