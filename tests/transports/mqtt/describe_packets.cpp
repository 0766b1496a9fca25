// SPDX-License-Identifier: Apache-2.0
#include "transports/mqtt/describe_packets.hpp"

#include <cstdio>
#include <cstdlib>

namespace test {
namespace {

using namespace mcp::mqtt;

void check(bool promise, const char* what) {
  if (promise) return;
  std::fprintf(stderr, "PacketReader: %s\n", what);
  std::abort();
}

std::string hex(Reason reason) {
  char text[4];
  std::snprintf(text, sizeof text, "%02x", static_cast<unsigned>(reason));
  return text;
}

std::string member(const char* name, std::string_view value) {
  return value.empty() ? "" : std::string(" ") + name + " " + in_quotes(value);
}

std::string member(const char* name, std::uint32_t value, std::uint32_t omitted) {
  return value == omitted ? "" : std::string(" ") + name + " " + std::to_string(value);
}

std::string user_properties(const Properties& properties) {
  std::string text;
  for (const std::string_view name : user_names) {
    if (const auto value = properties.user_property(name)) text += " " + in_quotes(name) + "=" + in_quotes(*value);
  }
  return text;
}

std::string describe(const Connack& connack) {
  std::string text = "connack " + hex(connack.reason);
  text += member("receive", connack.receive_maximum(), 0xFFFF);
  text += member("qos", connack.maximum_qos(), 2);
  text += member("retain", connack.retain_available() ? 1 : 0, 1);
  text += member("size", connack.maximum_packet_size(), UINT32_MAX);
  if (const auto seconds = connack.server_keep_alive()) text += " keep " + std::to_string(*seconds);
  text += member("client", connack.assigned_client_id());
  text += member("reason", connack.reason_string());
  text += member("server", connack.server_reference());
  text += member("wildcard", connack.wildcard_available() ? 1 : 0, 1);
  text += member("shared", connack.shared_available() ? 1 : 0, 1);
  return text + user_properties(connack);
}

std::string flags(const Publish& publish) {
  std::string text = " qos " + std::to_string(publish.qos);
  if (publish.qos != 0) text += " id " + std::to_string(publish.packet_id);
  check((publish.qos != 0) == (publish.packet_id != 0), "a packet identifier is for QoS 1 and 2");
  check(!publish.dup || publish.qos != 0, "DUP is for QoS 1 and 2");
  if (publish.retain) text += " retain";
  if (publish.dup) text += " dup";
  return text;
}

std::string describe(const Publish& publish) {
  std::string text = "publish " + in_quotes(publish.topic) + flags(publish);
  text += member("size", publish.payload_size, 0);
  text += member("response", publish.response_topic());
  if (publish.correlation_data().data() != nullptr) text += " correlation " + in_quotes(publish.correlation_data());
  text += member("type", publish.content_type());
  if (const auto seconds = publish.message_expiry()) text += " expiry " + std::to_string(*seconds);
  if (publish.payload_is_utf8()) text += " utf8";
  return text + user_properties(publish);
}

std::string describe(const Ack& ack) {
  static constexpr const char* names[] = {"puback", "pubrec", "pubrel", "pubcomp", "", "suback", "", "unsuback"};
  std::string text = names[static_cast<unsigned>(ack.type) - static_cast<unsigned>(PacketType::puback)];
  text += " id " + std::to_string(ack.packet_id);
  check(ack.size() != 0, "an acknowledgement has a reason code");
  for (std::size_t i = 0; i < ack.size(); ++i) text += " " + hex(ack.reason(i));
  return text + member("reason", ack.reason_string()) + user_properties(ack);
}

std::string describe(const Disconnect& disconnect) {
  return "disconnect " + hex(disconnect.reason) + member("reason", disconnect.reason_string()) +
         member("server", disconnect.server_reference()) + user_properties(disconnect);
}

std::string describe(const PacketReader& reader) {
  switch (reader.type()) {
    case PacketType::connack: return describe(reader.connack());
    case PacketType::publish: return describe(reader.publish());
    case PacketType::disconnect: return describe(reader.disconnect());
    case PacketType::pingresp: return "pingresp";
    default: return describe(reader.ack());
  }
}

/// Reads pieces and collects the lines.
struct Reading {
  PacketReader& reader;
  std::string text = {};
  std::string payload = {};

  /// False after a failure.
  bool read(std::string_view piece);
  void take_payload(std::string_view input, std::size_t used);
  void take_packet();
};

bool Reading::read(std::string_view piece) {
  for (;;) {
    const PacketReader::Result result = reader.read({piece.data(), piece.size()});
    check(result.used <= piece.size(), "it uses more bytes than there are");
    check(result.event == PacketReader::Event::failed || result.used != 0 || piece.empty(), "it makes no progress");
    switch (result.event) {
      case PacketReader::Event::more: check(result.used == piece.size(), "it leaves bytes and needs more"); return true;
      case PacketReader::Event::packet: take_packet(); break;
      case PacketReader::Event::payload: take_payload(piece, result.used); break;
      case PacketReader::Event::too_large:
        text += "too_large" + flags(reader.publish()) + "\n";
        check(reader.publish().topic.empty() && reader.publish().payload_size == 0, "a skipped packet has no contents");
        check(user_properties(reader.publish()).empty(), "a skipped packet has no properties");
        break;
      case PacketReader::Event::failed: {
        text += "failed " + hex(reader.fault()) + "\n";
        check(is_error(reader.fault()), "a failure has a reason");
        const PacketReader::Result again = reader.read({piece.data(), piece.size()});
        check(again.event == PacketReader::Event::failed && again.used == 0, "it continues after a failure");
        return false;
      }
    }
    piece.remove_prefix(result.used);
  }
}

void Reading::take_packet() {
  text += describe(reader) + "\n";
  if (reader.type() == PacketType::publish)
    check(reader.payload_left() == reader.publish().payload_size, "the whole payload is to come");
}

void Reading::take_payload(std::string_view input, std::size_t used) {
  const std::span<const char> part = reader.payload();
  check(!part.empty() && part.data() == input.data() && part.size() == used, "a payload is a part of the input");
  payload.append(part.data(), part.size());
  if (reader.payload_left() != 0) return;
  text += "payload " + in_quotes(payload) + "\n";
  payload.clear();
}

}  // namespace

std::string in_quotes(std::string_view bytes) {
  std::string text = "\"";
  for (const char c : bytes) {
    if (c >= ' ' && c <= '~' && c != '"' && c != '\\') {
      text += c;
    } else {
      char escape[5];
      std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      text += escape;
    }
  }
  return text + "\"";
}

std::string describe_packets(const std::vector<std::string_view>& pieces, std::size_t head_size,
                             std::uint32_t max_packet_size, std::string_view user_property) {
  // The sanitizers detect a write beyond the memory, and the last bytes detect one without them.
  constexpr std::string_view guard = "never written";
  std::vector<char> head(head_size);
  head.insert(head.end(), guard.begin(), guard.end());
  PacketReader reader({head.data(), head_size}, max_packet_size, user_property);
  Reading reading{reader};
  for (const std::string_view piece : pieces) {
    // The same for a read beyond the end of a piece.
    const std::vector<char> copy(piece.begin(), piece.end());
    const bool continues = reading.read({copy.data(), copy.size()});
    check(std::string_view(head.data() + head_size, guard.size()) == guard, "it writes beyond its head");
    if (!continues) return reading.text;
  }
  check(reader.fault() == Reason::success, "there is a fault without a failure");
  if (!reading.payload.empty()) reading.text += "part of a payload " + in_quotes(reading.payload) + "\n";
  return reading.text;
}

}  // namespace test
