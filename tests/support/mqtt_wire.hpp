// SPDX-License-Identifier: Apache-2.0
// MQTT 5.0 packets for the brokers of tests: a strict reader of what a client sends, and a writer. What a client may
// not send fails the test that reads it. Shares no code with the transport.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace test {

/// A PUBLISH, or a will.
struct MqttMessage {
  std::string topic;
  std::string payload;
  unsigned qos = 0;
  bool retain = false;
  std::map<std::string, std::string> properties;
};

struct MqttConnect {
  std::string client_id;
  std::string user_name;
  std::string password;
  unsigned keep_alive_s = 0;
  std::optional<MqttMessage> will;
  std::map<std::string, std::string> properties;
};

std::string mqtt_number(unsigned value);
std::string mqtt_text(std::string_view value);
std::string mqtt_varint(std::size_t value);
std::string mqtt_packet(unsigned first, std::string_view body);
/// A PUBLISH with its user properties. `packet_id` is not written for QoS 0.
std::string mqtt_publish(const MqttMessage& message, unsigned packet_id, bool dup = false);
/// PUBACK. The reason 0 is not written.
std::string mqtt_puback(unsigned packet_id, unsigned reason);

/// One packet without its length.
struct MqttPacket {
  unsigned first = 0;
  std::string body;
};

/// Removes the first packet from `bytes`. Empty if it is not complete.
std::optional<MqttPacket> take_mqtt_packet(std::string& bytes);

/// Reads the body of a packet. Lifetime: the body must outlive the reader.
class MqttReader {
 public:
  explicit MqttReader(std::string_view bytes) : bytes_(bytes) {}
  unsigned byte();
  unsigned number();
  std::size_t varint();
  std::string text() { return take(number()); }
  /// The user properties, "receive maximum" and "maximum packet size". Others fail the test.
  std::map<std::string, std::string> properties();
  std::string rest() { return take(bytes_.size()); }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }

  MqttConnect connect();
  /// `first` is the first byte of the packet; `packet_id` gets 0 for QoS 0.
  MqttMessage publish(unsigned first, unsigned& packet_id);

 private:
  std::string take(std::size_t size);

  std::string_view bytes_;
};

}  // namespace test
