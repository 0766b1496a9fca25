// SPDX-License-Identifier: Apache-2.0
// The MQTT reader and writer as a program, for differential.mjs. Each line of stdin is a command:
//   read HEX SIZE...      reads the stream in pieces of these sizes; the rest is the last piece
//   write PACKET KEY=VALUE...
//                         writes a packet. Numbers are decimal, strings hexadecimal, lists repeat their key
// The response to `read` is a line for each packet, and a line with a dot. The response to `write` is the packet in
// hexadecimal; a PUBLISH head is followed by its payload. An empty line means that it does not fit into 4096 bytes.
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "mcp/mqtt/packet_writer.hpp"
#include "transports/mqtt/describe_packets.hpp"
#include "transports/mqtt/hex.hpp"

namespace {

using namespace mcp::mqtt;
using test::from_hex;
using test::to_hex;

/// The members of a command. Strings stay where they are as long as it lives.
class Members {
 public:
  explicit Members(std::istream& words) {
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      const std::string value = word.substr(equals + 1);
      const std::size_t colon = value.find(':');
      const bool is_pair = colon != std::string::npos;
      all_.push_back({word.substr(0, equals), value, from_hex(value.substr(0, colon)),
                      is_pair ? value.substr(colon + 1) : "", is_pair ? from_hex(value.substr(colon + 1)) : ""});
    }
  }

  struct Member {
    std::string key;
    std::string value;
    std::string bytes;   // of the value, or before a colon
    std::string second;  // after a colon
    std::string second_bytes;
  };

  [[nodiscard]] std::vector<const Member*> find(std::string_view key) const {
    std::vector<const Member*> found;
    for (const Member& member : all_) {
      if (member.key == key) found.push_back(&member);
    }
    return found;
  }
  [[nodiscard]] unsigned long number(std::string_view key, unsigned long otherwise = 0) const {
    const auto found = find(key);
    return found.empty() ? otherwise : std::stoul(found.front()->value);
  }
  [[nodiscard]] std::string_view text(std::string_view key) const {
    const auto found = find(key);
    return found.empty() ? std::string_view() : found.front()->bytes;
  }
  [[nodiscard]] std::optional<std::string_view> optional(std::string_view key) const {
    if (find(key).empty()) return std::nullopt;
    return text(key);
  }
  [[nodiscard]] std::vector<UserProperty> user_properties(std::string_view key) const {
    std::vector<UserProperty> properties;
    for (const Member* member : find(key)) properties.push_back({member->bytes, member->second_bytes});
    return properties;
  }

 private:
  std::vector<Member> all_;
};

std::size_t connect(std::span<char> out, const Members& members) {
  const Will will{.topic = members.text("will_topic"),
                  .payload = members.text("will_payload"),
                  .qos = static_cast<std::uint8_t>(members.number("will_qos")),
                  .retain = members.number("will_retain") != 0};
  const auto properties = members.user_properties("user");
  return write_connect(out, {.client_id = members.text("client"),
                             .keep_alive_s = static_cast<std::uint16_t>(members.number("keep")),
                             .receive_maximum = static_cast<std::uint16_t>(members.number("receive", 0xFFFF)),
                             .max_packet_size = static_cast<std::uint32_t>(members.number("size", UINT32_MAX)),
                             .user_properties = properties,
                             .will = members.find("will_topic").empty() ? nullptr : &will,
                             .user_name = members.optional("name"),
                             .password = members.optional("password")});
}

std::size_t publish(std::span<char> out, const Members& members) {
  const auto properties = members.user_properties("user");
  const PublishHead head{.topic = members.text("topic"),
                         .qos = static_cast<std::uint8_t>(members.number("qos")),
                         .retain = members.number("retain") != 0,
                         .packet_id = static_cast<std::uint16_t>(members.number("id")),
                         .user_properties = properties};
  const std::string_view payload = members.text("payload");
  const std::size_t size = write_publish_head(out, head, payload.size());
  const std::size_t whole = size + payload.size();
  if (size == 0 || whole > out.size()) return 0;
  payload.copy(out.data() + size, payload.size());
  return whole;
}

std::size_t subscribe(std::span<char> out, std::uint16_t id, const Members& members) {
  std::vector<Subscription> subscriptions;
  for (const Members::Member* member : members.find("filter")) {
    const unsigned long options = std::stoul(member->second);
    subscriptions.push_back({.filter = member->bytes,
                             .qos = static_cast<std::uint8_t>(options & 3),
                             .no_local = (options & 4) != 0,
                             .retain_as_published = (options & 8) != 0,
                             .retain_handling = static_cast<RetainHandling>(options >> 4)});
  }
  return write_subscribe(out, id, subscriptions);
}

std::size_t write(std::span<char> out, std::string_view packet, const Members& members) {
  const auto id = static_cast<std::uint16_t>(members.number("id"));
  const auto reason = static_cast<Reason>(members.number("reason"));
  if (packet == "connect") return connect(out, members);
  if (packet == "publish") return publish(out, members);
  if (packet == "subscribe") return subscribe(out, id, members);
  if (packet == "puback") return write_puback(out, id, reason);
  if (packet == "pingreq") return write_pingreq(out);
  if (packet == "disconnect") return write_disconnect(out, reason);
  std::vector<std::string_view> filters;
  for (const Members::Member* member : members.find("filter")) filters.push_back(member->bytes);
  return write_unsubscribe(out, id, filters);
}

std::string read(std::istream& words) {
  std::string hex;
  words >> hex;
  if (hex == "-") hex.clear();
  const std::string stream = from_hex(hex);
  std::string_view rest = stream;
  std::vector<std::string_view> pieces;
  for (std::size_t size = 0; words >> size;) {
    pieces.push_back(rest.substr(0, size));
    rest.remove_prefix(pieces.back().size());
  }
  pieces.push_back(rest);
  return test::describe_packets(pieces, 70'000) + ".\n";
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string command;
    std::string packet;
    words >> command;
    if (command == "read") {
      std::cout << read(words);
    } else {
      words >> packet;
      const Members members(words);
      std::vector<char> out(4096);
      std::cout << to_hex({out.data(), write(out, packet, members)}) << "\n";
    }
  }
  return 0;
}
