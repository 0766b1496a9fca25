// SPDX-License-Identifier: Apache-2.0
#include "support/mqtt_broker.hpp"

#include <gtest/gtest.h>

namespace test {
namespace {

std::string number(unsigned value) { return {static_cast<char>(value >> 8), static_cast<char>(value)}; }
std::string text(std::string_view value) { return number(static_cast<unsigned>(value.size())) + std::string(value); }
std::string varint(std::size_t value) {
  std::string bytes;
  do {
    bytes += static_cast<char>(value % 128 | (value >= 128 ? 0x80 : 0));
    value /= 128;
  } while (value != 0);
  return bytes;
}
std::string packet(unsigned first, std::string_view body) {
  return std::string(1, static_cast<char>(first)) + varint(body.size()) + std::string(body);
}

}  // namespace

class MqttBroker::Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  unsigned byte() {
    EXPECT_FALSE(bytes_.empty());
    if (bytes_.empty()) return 0;
    const auto value = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return value;
  }
  unsigned number() {
    const unsigned high = byte();
    return high << 8 | byte();
  }
  std::size_t varint() {
    std::size_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const unsigned next = byte();
      value |= std::size_t{next & 127} << shift;
      if (next < 128 || shift == 21) return value;
    }
  }
  std::string take(std::size_t size) {
    EXPECT_LE(size, bytes_.size());
    const std::string value(bytes_.substr(0, size));
    bytes_.remove_prefix(std::min(size, bytes_.size()));
    return value;
  }
  std::string text() { return take(number()); }
  // The user properties. Of the others, the length alone.
  std::map<std::string, std::string> properties() {
    std::map<std::string, std::string> found;
    Reader inner(bytes_);
    const std::size_t size = inner.varint();
    bytes_ = inner.bytes_;
    Reader part{bytes_.substr(0, size)};
    bytes_.remove_prefix(size);
    while (!part.empty()) {
      switch (const unsigned id = part.byte()) {
        case 0x26: {
          const std::string name = part.text();
          found[name] = part.text();
          break;
        }
        case 0x21: found["receive maximum"] = std::to_string(part.number()); break;
        case 0x11: found["session expiry"] = part.take(4); break;
        default: ADD_FAILURE() << "property " << id; return found;
      }
    }
    return found;
  }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }
  std::string rest() { return take(bytes_.size()); }

 private:
  std::string_view bytes_;
};

void MqttBroker::send(std::string_view bytes) { connection().wire.give(bytes); }

void MqttBroker::publish(std::string_view topic, std::string_view payload, std::string_view sender, unsigned qos) {
  std::string properties;
  if (!sender.empty()) properties = "\x26" + text("MCP-MQTT-CLIENT-ID") + text(sender);
  std::string body = text(topic);
  last_id_ = last_id_ % 0xFFFF + 1;
  if (qos != 0) body += number(last_id_);
  send(packet(0x30 | qos << 1 | (retains ? 1 : 0),
              body + varint(properties.size()) + properties + std::string(payload)));
}

void MqttBroker::acknowledge_all(unsigned reason) {
  for (const unsigned id : std::exchange(held_, {})) {
    send(packet(0x40, reason == 0 ? number(id) : number(id) + static_cast<char>(reason)));
  }
}

void MqttBroker::run() {
  if (dialer_.connections.size() != served_) {
    served_ = dialer_.connections.size();
    bytes_.clear();
    filters.clear();
    held_.clear();
  }
  if (served_ == 0) return;
  bytes_ += connection().wire.take();
  for (;;) {
    if (bytes_.size() < 2) return;
    std::size_t size = 0;
    std::size_t at = 1;
    for (unsigned shift = 0;; shift += 7) {
      if (at == bytes_.size()) return;
      const auto next = static_cast<unsigned char>(bytes_[at++]);
      size |= std::size_t{next & 127U} << shift;
      if (next < 128) break;
    }
    if (bytes_.size() < at + size) return;
    const std::string body = bytes_.substr(at, size);
    const auto first = static_cast<unsigned char>(bytes_.front());
    bytes_.erase(0, at + size);
    Reader reader(body);
    take(first, reader);
    EXPECT_TRUE(reader.empty()) << "packet " << unsigned{first};
  }
}

void MqttBroker::take(unsigned first, Reader& reader) {
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
      send(packet(0x90, number(id) + '\0' + static_cast<char>(why == refused.end() ? options & 3 : why->second)));
      return;
    }
    case 0xA2: {
      const unsigned id = reader.number();
      EXPECT_TRUE(reader.properties().empty());
      const std::string filter = reader.text();
      log.push_back("unsubscribe " + filter);
      const bool was = filters.erase(filter) != 0;
      send(packet(0xB0, number(id) + '\0' + static_cast<char>(was ? 0 : 0x11)));
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
      log.push_back("puback " + std::to_string(id));
      return;
    }
    default: break;
  }
  if (first >> 4 == 3) return take_publish(first, reader);
  ADD_FAILURE() << "packet " << first;
  reader.rest();
}

void MqttBroker::take_connect(Reader& reader) {
  ++connects;
  EXPECT_EQ(reader.text(), "MQTT");
  EXPECT_EQ(reader.byte(), 5U);
  const unsigned flags = reader.byte();
  EXPECT_EQ(flags & 3, 2U);  // clean start, and the reserved bit
  keep_alive_s = reader.number();
  connect_properties = reader.properties();
  client_id = reader.text();
  if ((flags & 4) != 0) {
    will.properties = reader.properties();
    will.topic = reader.text();
    will.payload = reader.text();
    will.qos = flags >> 3 & 3;
    will.retain = (flags & 32) != 0;
  }
  user_name = (flags & 128) != 0 ? reader.text() : "";
  password = (flags & 64) != 0 ? reader.text() : "";
  send(packet(0x20, std::string(1, '\0') + static_cast<char>(connack) + varint(connack_properties.size()) +
                        connack_properties));
}

void MqttBroker::take_publish(unsigned first, Reader& reader) {
  MqttMessage message;
  message.topic = reader.text();
  message.qos = first >> 1 & 3;
  message.retain = (first & 1) != 0;
  const unsigned id = message.qos != 0 ? reader.number() : 0;
  message.properties = reader.properties();
  message.payload = reader.rest();
  log.push_back("publish " + message.topic);
  messages_.push_back(std::move(message));
  if (id == 0) return;
  held_.push_back(id);
  if (acknowledges) acknowledge_all();
}

}  // namespace test
