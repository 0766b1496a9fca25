// SPDX-License-Identifier: Apache-2.0
// A broker for one device in a test: it reads the packets of the device strictly, and sends what the test says. What a
// client may not send fails the test.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mcp/port.hpp"
#include "support/http_client.hpp"
#include "support/mqtt_wire.hpp"

namespace test {

/// Connections in the order in which they were dialed.
class FakeDialer final : public mcp::Dialer {
 public:
  bool is_full = false;
  bool encrypts = false;
  mcp::DialProblem why = mcp::DialProblem::refused;
  std::vector<std::string> dialed;  // "host:port"
  std::list<FakeConnection> connections;

 private:
  mcp::Connection* do_dial(std::string_view host, std::uint16_t port) override {
    dialed.push_back(std::string(host) + ":" + std::to_string(port));
    set_reason(is_full ? mcp::DialProblem::in_use : why);
    return is_full ? nullptr : &connections.emplace_back();
  }
  [[nodiscard]] bool do_is_encrypted() const override { return encrypts; }
};

/// The broker's end of the newest connection of a FakeDialer.
class MqttBroker {
 public:
  explicit MqttBroker(FakeDialer& dialer) : dialer_(dialer) {}

  // What the broker does, before the packets come.
  unsigned connack = 0;                     // the reason code
  std::string connack_properties;           // as bytes
  std::map<std::string, unsigned> refused;  // filters, and the reason of their SUBACK
  bool acknowledges = true;                 // sends PUBACK
  bool confirms = true;                     // sends SUBACK
  bool answers_ping = true;
  bool retains = false;  // publish() sets the flag

  /// Reads all that the device has sent on its newest connection, and responds.
  void run();
  /// Sends a message to the device, with the id of its sender unless that is empty.
  void publish(std::string_view topic, std::string_view payload, std::string_view client_id = "client",
               unsigned qos = 1);
  void send(std::string_view bytes);
  /// Sends the PUBACK packets that were held back.
  void acknowledge_all(unsigned reason = 0);
  /// Sends the SUBACK packets that were held back.
  void confirm_all();

  /// What came since the last call.
  std::vector<MqttMessage> take_messages() { return std::exchange(messages_, {}); }

  [[nodiscard]] FakeConnection& connection() { return dialer_.connections.back(); }

  // What the device has said.
  unsigned connects = 0;
  std::string client_id;
  std::string user_name;
  std::string password;
  unsigned keep_alive_s = 0;
  MqttMessage will;
  std::map<std::string, std::string> connect_properties;
  std::map<std::string, unsigned> filters;  // with their options
  std::vector<std::string> log;             // "subscribe F", "unsubscribe F", "publish T", "puback N", "ping", "bye"
  std::vector<unsigned> pubacks;            // their reason codes

 private:
  void take(unsigned first, MqttReader& packet);
  void take_connect(MqttReader& packet);
  void take_publish(unsigned first, MqttReader& packet);

  FakeDialer& dialer_;
  std::size_t served_ = 0;  // connections
  std::string bytes_;
  std::vector<MqttMessage> messages_;
  std::vector<unsigned> held_;
  std::vector<std::string> held_subacks_;
  unsigned last_id_ = 0;
};

}  // namespace test
