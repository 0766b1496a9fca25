// SPDX-License-Identifier: Apache-2.0
#include "support/mqtt_broker.hpp"

#include <gtest/gtest.h>

namespace test {

void MqttBroker::send(std::string_view bytes) { connection().wire.give(bytes); }

void MqttBroker::publish(std::string_view topic, std::string_view payload, std::string_view sender, unsigned qos) {
  MqttMessage message{std::string(topic), std::string(payload), qos, retains, {}};
  if (!sender.empty()) message.properties["MCP-MQTT-CLIENT-ID"] = sender;
  last_id_ = last_id_ % 0xFFFF + 1;
  send(mqtt_publish(message, last_id_));
}

void MqttBroker::acknowledge_all(unsigned reason) {
  for (const unsigned id : std::exchange(held_, {})) send(mqtt_puback(id, reason));
}

void MqttBroker::confirm_all() {
  for (const std::string& suback : std::exchange(held_subacks_, {})) send(suback);
}

void MqttBroker::run() {
  if (dialer_.connections.size() != served_) {
    served_ = dialer_.connections.size();
    bytes_.clear();
    filters.clear();
    held_.clear();
    held_subacks_.clear();
  }
  if (served_ == 0) return;
  bytes_ += connection().wire.take();
  while (const std::optional<MqttPacket> packet = take_mqtt_packet(bytes_)) {
    MqttReader reader(packet->body);
    take(packet->first, reader);
    EXPECT_TRUE(reader.empty()) << "packet " << packet->first;
  }
}

void MqttBroker::take(unsigned first, MqttReader& reader) {
  switch (first) {
    case 0x10: return take_connect(reader);
    case 0x82: {
      const unsigned id = reader.number();
      EXPECT_TRUE(reader.properties().empty());
      const std::string filter = reader.text();
      const unsigned options = reader.byte();
      log.push_back("subscribe " + filter);
      const auto why = refused.find(filter);
      if (why == refused.end()) filters[filter] = options;
      held_subacks_.push_back(mqtt_packet(
          0x90, mqtt_number(id) + '\0' + static_cast<char>(why == refused.end() ? options & 3 : why->second)));
      if (confirms) confirm_all();
      return;
    }
    case 0xA2: {
      const unsigned id = reader.number();
      EXPECT_TRUE(reader.properties().empty());
      const std::string filter = reader.text();
      log.push_back("unsubscribe " + filter);
      const bool was = filters.erase(filter) != 0;
      send(mqtt_packet(0xB0, mqtt_number(id) + '\0' + static_cast<char>(was ? 0 : 0x11)));
      return;
    }
    case 0xC0:
      log.emplace_back("ping");
      if (answers_ping) send(std::string_view("\xD0\0", 2));
      return;
    case 0xE0: log.push_back("bye " + std::to_string(reader.empty() ? 0 : reader.byte())); return;
    case 0x40: {
      const unsigned id = reader.number();
      pubacks.push_back(reader.empty() ? 0 : reader.byte());
      // OASIS MQTT 5.0 section 3.4.2.1: the reason codes of PUBACK.
      EXPECT_NE(std::string_view("\x00\x10\x80\x83\x87\x90\x91\x97\x99", 9).find(static_cast<char>(pubacks.back())),
                std::string_view::npos);
      log.push_back("puback " + std::to_string(id));
      return;
    }
    default: break;
  }
  if (first >> 4 == 3) return take_publish(first, reader);
  ADD_FAILURE() << "packet " << first;
  reader.rest();
}

void MqttBroker::take_connect(MqttReader& reader) {
  ++connects;
  const MqttConnect connect = reader.connect();
  keep_alive_s = connect.keep_alive_s;
  connect_properties = connect.properties;
  client_id = connect.client_id;
  if (connect.will) will = *connect.will;
  user_name = connect.user_name;
  password = connect.password;
  send(mqtt_packet(0x20, std::string(1, '\0') + static_cast<char>(connack) + mqtt_varint(connack_properties.size()) +
                             connack_properties));
}

void MqttBroker::take_publish(unsigned first, MqttReader& reader) {
  unsigned id = 0;
  messages_.push_back(reader.publish(first, id));
  log.push_back("publish " + messages_.back().topic);
  if (id == 0) return;
  held_.push_back(id);
  if (acknowledges) acknowledge_all();
}

}  // namespace test
