// SPDX-License-Identifier: Apache-2.0
#include "support/mqtt_wire.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace test {

// ---- Writing --------------------------------------------------------------------------------------------------------

std::string mqtt_number(unsigned value) { return {static_cast<char>(value >> 8), static_cast<char>(value)}; }

std::string mqtt_text(std::string_view value) {
  return mqtt_number(static_cast<unsigned>(value.size())) + std::string(value);
}

std::string mqtt_varint(std::size_t value) {
  std::string bytes;
  do {
    bytes += static_cast<char>(value % 128 | (value >= 128 ? 0x80 : 0));
    value /= 128;
  } while (value != 0);
  return bytes;
}

std::string mqtt_packet(unsigned first, std::string_view body) {
  return std::string(1, static_cast<char>(first)) + mqtt_varint(body.size()) + std::string(body);
}

std::string mqtt_publish(const MqttMessage& message, unsigned packet_id, bool dup) {
  std::string properties;
  for (const auto& [name, value] : message.properties) properties += "\x26" + mqtt_text(name) + mqtt_text(value);
  std::string body = mqtt_text(message.topic);
  if (message.qos != 0) body += mqtt_number(packet_id);
  body += mqtt_varint(properties.size()) + properties + message.payload;
  return mqtt_packet(0x30U | message.qos << 1 | (message.retain ? 1U : 0U) | (dup ? 8U : 0U), body);
}

std::string mqtt_puback(unsigned packet_id, unsigned reason) {
  std::string body = mqtt_number(packet_id);
  if (reason != 0) body += static_cast<char>(reason);
  return mqtt_packet(0x40, body);
}

// ---- Reading --------------------------------------------------------------------------------------------------------

std::optional<MqttPacket> take_mqtt_packet(std::string& bytes) {
  std::size_t size = 0;
  std::size_t at = 1;
  for (unsigned shift = 0;; shift += 7) {
    if (at >= bytes.size()) return {};
    const auto next = static_cast<unsigned char>(bytes[at++]);
    size |= std::size_t{next & 127U} << shift;
    if (next < 128) break;
  }
  if (bytes.size() < at + size) return {};
  MqttPacket packet{static_cast<unsigned char>(bytes.front()), bytes.substr(at, size)};
  bytes.erase(0, at + size);
  return packet;
}

unsigned MqttReader::byte() {
  EXPECT_FALSE(bytes_.empty());
  if (bytes_.empty()) return 0;
  const auto value = static_cast<unsigned char>(bytes_.front());
  bytes_.remove_prefix(1);
  return value;
}

unsigned MqttReader::number() {
  const unsigned high = byte();
  return high << 8 | byte();
}

std::size_t MqttReader::varint() {
  std::size_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const unsigned next = byte();
    value |= std::size_t{next & 127} << shift;
    if (next < 128 || shift == 21) return value;
  }
}

std::string MqttReader::take(std::size_t size) {
  EXPECT_LE(size, bytes_.size());
  std::string value(bytes_.substr(0, size));
  bytes_.remove_prefix(std::min(size, bytes_.size()));
  return value;
}

std::map<std::string, std::string> MqttReader::properties() {
  std::map<std::string, std::string> found;
  const std::size_t size = varint();
  MqttReader part{bytes_.substr(0, size)};
  bytes_.remove_prefix(std::min(size, bytes_.size()));
  while (!part.empty()) {
    switch (const unsigned id = part.byte()) {
      case 0x26: {
        const std::string name = part.text();
        found[name] = part.text();
        break;
      }
      case 0x21: found["receive maximum"] = std::to_string(part.number()); break;
      case 0x27: {
        const unsigned high = part.number();
        found["maximum packet size"] = std::to_string(high << 16 | part.number());
        break;
      }
      default: ADD_FAILURE() << "property " << id; return found;
    }
  }
  return found;
}

MqttConnect MqttReader::connect() {
  EXPECT_EQ(text(), "MQTT");
  EXPECT_EQ(byte(), 5U);
  const unsigned flags = byte();
  EXPECT_EQ(flags & 3, 2U);  // clean start, and the reserved bit
  MqttConnect connect;
  connect.keep_alive_s = number();
  connect.properties = properties();
  connect.client_id = text();
  if ((flags & 4) != 0) {
    MqttMessage& will = connect.will.emplace();
    will.properties = properties();
    will.topic = text();
    will.payload = text();
    will.qos = flags >> 3 & 3;
    will.retain = (flags & 32) != 0;
  }
  if ((flags & 128) != 0) connect.user_name = text();
  if ((flags & 64) != 0) connect.password = text();
  return connect;
}

MqttMessage MqttReader::publish(unsigned first, unsigned& packet_id) {
  MqttMessage message;
  message.topic = text();
  message.qos = first >> 1 & 3;
  message.retain = (first & 1) != 0;
  packet_id = message.qos != 0 ? number() : 0;
  message.properties = properties();
  message.payload = rest();
  return message;
}

}  // namespace test
