// SPDX-License-Identifier: Apache-2.0
#include "mcp/mqtt/packet_writer.hpp"

#include <cstring>

#include "mcp/mqtt/topic.hpp"

namespace mcp::mqtt {
namespace {

/// Writes the parts of a packet. Bytes that do not fit are counted.
class Out {
 public:
  Out(std::span<char> buffer, PacketType type, unsigned flags) : buffer_(buffer) {
    byte(static_cast<unsigned>(type) << 4 | flags);
  }

  void byte(unsigned value) {
    if (size_ < buffer_.size()) buffer_[size_] = static_cast<char>(value);
    ++size_;
  }
  void two(unsigned value) {
    byte(value >> 8);
    byte(value);
  }
  /// A string or binary data, after its length.
  void text(std::string_view text) {
    if (text.size() > max_string_size) failed_ = true;
    two(static_cast<unsigned>(text.size()));
    for (const char c : text) byte(static_cast<std::uint8_t>(c));
  }

  /// User properties, and the length of all properties from `position` on.
  void user_properties(std::span<const UserProperty> properties, std::size_t position);
  void user_properties(std::span<const UserProperty> properties) { user_properties(properties, size_); }

  [[nodiscard]] std::size_t position() const { return size_; }
  /// Inserts the length of the bytes from `position` on, and `more` bytes, as a variable byte integer.
  void insert_length(std::size_t position, std::size_t more = 0);

  /// Returns the bytes written so far; 0 if the packet is invalid or does not fit.
  [[nodiscard]] std::size_t fitting() const { return failed_ || size_ > buffer_.size() ? 0 : size_; }
  /// Inserts the length of the packet, and returns its bytes; 0 if it is invalid or does not fit.
  std::size_t end() {
    insert_length(1);
    return fitting();
  }

 private:
  std::span<char> buffer_;
  std::size_t size_ = 0;
  bool failed_ = false;
};

void Out::user_properties(std::span<const UserProperty> properties, std::size_t position) {
  for (const UserProperty& property : properties) {
    byte(0x26);
    text(property.name);
    text(property.value);
  }
  insert_length(position);
}

void Out::insert_length(std::size_t position, std::size_t more) {
  constexpr std::size_t most = 0xFFF'FFFF;  // 1.5.5
  const std::size_t moved = size_ - position;
  if (more > most || moved > most - more) failed_ = true;
  char bytes[4];
  std::size_t count = 0;
  std::size_t left = moved + more;
  do {
    bytes[count] = static_cast<char>((left & 0x7F) | (left > 0x7F ? 0x80 : 0));
    left >>= 7;
  } while (++count != sizeof bytes && left != 0);
  size_ += count;
  if (size_ > buffer_.size()) return;
  char* const at = buffer_.data() + position;
  std::memmove(at + count, at, moved);
  std::memcpy(at, bytes, count);
}

/// The flags of CONNECT. Source: section 3.1.2.3.
unsigned connect_flags(const Connect& connect) {
  unsigned flags = 0x02;  // clean start
  if (connect.will != nullptr) flags |= 0x04u | connect.will->qos * 8u | (connect.will->retain ? 0x20u : 0u);
  if (connect.password) flags |= 0x40;
  if (connect.user_name) flags |= 0x80;
  return flags;
}

}  // namespace

std::size_t write_connect(std::span<char> buffer, const Connect& connect) {
  Out out(buffer, PacketType::connect, 0);
  out.text("MQTT");
  out.byte(5);
  out.byte(connect_flags(connect));
  out.two(connect.keep_alive_s);
  const std::size_t properties = out.position();
  out.byte(0x21);
  out.two(connect.receive_maximum);
  if (connect.max_packet_size != UINT32_MAX) {
    out.byte(0x27);
    out.two(connect.max_packet_size >> 16);
    out.two(connect.max_packet_size);
  }
  out.user_properties(connect.user_properties, properties);
  out.text(connect.client_id);
  if (connect.will != nullptr) {
    out.byte(0);  // no properties
    out.text(connect.will->topic);
    out.text(connect.will->payload);
  }
  if (connect.user_name) out.text(*connect.user_name);
  if (connect.password) out.text(*connect.password);
  return out.end();
}

std::size_t write_publish_head(std::span<char> buffer, const PublishHead& head, std::size_t payload_size) {
  Out out(buffer, PacketType::publish, head.qos * 2u | (head.retain ? 1u : 0u));
  out.text(head.topic);
  if (head.qos != 0) out.two(head.packet_id);
  out.user_properties(head.user_properties);
  out.insert_length(1, payload_size);
  return out.fitting();
}

std::size_t write_puback(std::span<char> buffer, std::uint16_t packet_id, Reason reason) {
  Out out(buffer, PacketType::puback, 0);
  out.two(packet_id);
  if (reason != Reason::success) out.byte(static_cast<unsigned>(reason));
  return out.end();
}

std::size_t write_subscribe(std::span<char> buffer, std::uint16_t packet_id,
                            std::span<const Subscription> subscriptions) {
  if (subscriptions.empty()) return 0;
  Out out(buffer, PacketType::subscribe, 2);
  out.two(packet_id);
  out.byte(0);  // no properties
  for (const Subscription& subscription : subscriptions) {
    out.text(subscription.filter);
    out.byte(subscription.qos | (subscription.no_local ? 0x04u : 0u) | (subscription.retain_as_published ? 0x08u : 0u) |
             static_cast<unsigned>(subscription.retain_handling) << 4);
  }
  return out.end();
}

std::size_t write_unsubscribe(std::span<char> buffer, std::uint16_t packet_id,
                              std::span<const std::string_view> filters) {
  if (filters.empty()) return 0;
  Out out(buffer, PacketType::unsubscribe, 2);
  out.two(packet_id);
  out.byte(0);  // no properties
  for (const std::string_view filter : filters) out.text(filter);
  return out.end();
}

std::size_t write_pingreq(std::span<char> buffer) { return Out(buffer, PacketType::pingreq, 0).end(); }

std::size_t write_disconnect(std::span<char> buffer, Reason reason) {
  Out out(buffer, PacketType::disconnect, 0);
  if (reason != Reason::success) out.byte(static_cast<unsigned>(reason));
  return out.end();
}

}  // namespace mcp::mqtt
