// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "mcp/mqtt/packet.hpp"
#include "mcp/mqtt/topic.hpp"
#include "mqtt/packet_properties.hpp"

namespace mcp::mqtt {
namespace {

constexpr unsigned bit(PacketType type) { return 1u << static_cast<unsigned>(type); }

/// Section 2.1.2, table 2-1: the packets that only a client sends. The server sends AUTH only to a client that has sent
/// an authentication method (4.12).
constexpr unsigned never_received = bit(PacketType::connect) | bit(PacketType::subscribe) |
                                    bit(PacketType::unsubscribe) | bit(PacketType::pingreq) | bit(PacketType::auth);

/// The packets with reason codes, as bits of `codes`.
namespace of {
constexpr unsigned connack = 1;
constexpr unsigned puback = 2;  // and PUBREC
constexpr unsigned pubrel = 4;  // and PUBCOMP
constexpr unsigned suback = 8;
constexpr unsigned unsuback = 16;
constexpr unsigned disconnect = 32;
}  // namespace of

/// The packets of a server that may have a reason code of 0x80 or above. Source: sections 2.4, 3.2.2.2, 3.4.2.1,
/// 3.6.2.1, 3.9.3, 3.11.3 and 3.14.2.1.
constexpr std::uint8_t error_codes[] = {
    of::connack | of::puback | of::suback | of::unsuback | of::disconnect,  // 0x80 unspecified error
    of::connack | of::disconnect,                                           // 0x81 malformed packet
    of::connack | of::disconnect,                                           // 0x82 protocol error
    of::connack | of::puback | of::suback | of::unsuback | of::disconnect,  // 0x83 implementation specific error
    of::connack,                                                            // 0x84 unsupported protocol version
    of::connack,                                                            // 0x85 client identifier not valid
    of::connack,                                                            // 0x86 bad user name or password
    of::connack | of::puback | of::suback | of::unsuback | of::disconnect,  // 0x87 not authorized
    of::connack,                                                            // 0x88 server unavailable
    of::connack | of::disconnect,                                           // 0x89 server busy
    of::connack,                                                            // 0x8A banned
    of::disconnect,                                                         // 0x8B server shutting down
    of::connack,                                                            // 0x8C bad authentication method
    of::disconnect,                                                         // 0x8D keep alive timeout
    of::disconnect,                                                         // 0x8E session taken over
    of::suback | of::unsuback | of::disconnect,                             // 0x8F topic filter invalid
    of::connack | of::puback | of::disconnect,                              // 0x90 topic name invalid
    of::puback | of::suback | of::unsuback,                                 // 0x91 packet identifier in use
    of::pubrel,                                                             // 0x92 packet identifier not found
    of::disconnect,                                                         // 0x93 receive maximum exceeded
    of::disconnect,                                                         // 0x94 topic alias invalid
    of::connack | of::disconnect,                                           // 0x95 packet too large
    of::disconnect,                                                         // 0x96 message rate too high
    of::connack | of::puback | of::suback | of::disconnect,                 // 0x97 quota exceeded
    of::disconnect,                                                         // 0x98 administrative action
    of::connack | of::puback | of::disconnect,                              // 0x99 payload format invalid
    of::connack | of::disconnect,                                           // 0x9A retain not supported
    of::connack | of::disconnect,                                           // 0x9B QoS not supported
    of::connack | of::disconnect,                                           // 0x9C use another server
    of::connack | of::disconnect,                                           // 0x9D server moved
    of::suback | of::disconnect,                                            // 0x9E shared subscriptions not supported
    of::connack | of::disconnect,                                           // 0x9F connection rate exceeded
    of::disconnect,                                                         // 0xA0 maximum connect time
    of::suback | of::disconnect,  // 0xA1 subscription identifiers not supported
    of::suback | of::disconnect,  // 0xA2 wildcard subscriptions not supported
};

/// One type of packet, with its bits of the namespaces `of` and `in`, the number of bytes before the length of its
/// properties, and whether it may end before this length.
struct Kind {
  std::uint8_t codes;
  std::uint8_t properties;
  std::uint8_t beginning;
  bool may_be_short;
};
constexpr Kind kinds[16] = {
    {},                                         // reserved
    {},                                         // CONNECT
    {of::connack, in::connack, 2, false},       // CONNACK
    {},                                         // PUBLISH
    {of::puback, in::ack, 3, true},             // PUBACK
    {of::puback, in::ack, 3, true},             // PUBREC
    {of::pubrel, in::ack, 3, true},             // PUBREL
    {of::pubrel, in::ack, 3, true},             // PUBCOMP
    {},                                         // SUBSCRIBE
    {of::suback, in::ack, 2, false},            // SUBACK
    {},                                         // UNSUBSCRIBE
    {of::unsuback, in::ack, 2, false},          // UNSUBACK
    {},                                         // PINGREQ
    {0, 0, 0, true},                            // PINGRESP
    {of::disconnect, in::disconnect, 1, true},  // DISCONNECT
    {},                                         // AUTH
};

constexpr bool is_list(PacketType type) { return type == PacketType::suback || type == PacketType::unsuback; }

/// The bytes of all numbers that CONNACK may have, with their identifiers. Source: section 3.2.2.3.
constexpr std::size_t numbers_size = 29;

/// The reason code of a packet without one.
constexpr char no_code = static_cast<char>(Reason::success);

/// True if a packet may have this reason code.
bool is_valid_code(std::uint8_t code, unsigned packet) {
  switch (code) {
    case 0x00: return true;
    case 0x01:
    case 0x02: return packet == of::suback;
    case 0x10: return packet == of::puback;
    case 0x11: return packet == of::unsuback;
    default: return code >= 0x80 && code - 0x80u < std::size(error_codes) && (error_codes[code - 0x80u] & packet) != 0;
  }
}

}  // namespace

Publish PacketReader::publish() const {
  Publish publish(properties_);
  // A skipped packet has only its packet identifier.
  if (stored_ <= head_.size()) publish.topic = {head_.data(), topic_size_};
  publish.packet_id = packet_id_;
  publish.payload_size = left_;
  publish.qos = static_cast<std::uint8_t>(qos());
  publish.retain = (first_ & 1) != 0;
  publish.dup = (first_ & 8) != 0;
  return publish;
}

Ack PacketReader::ack() const {
  Ack ack(codes_, properties_);
  ack.type = type();
  ack.packet_id = packet_id_;
  return ack;
}

PacketReader::Result PacketReader::read(std::span<const char> bytes) {
  if (fault_ != Reason::success) return {Event::failed, 0};
  std::size_t used = 0;
  while (used != bytes.size() && stage_ < Stage::payload) {
    const Event event = feed(static_cast<std::uint8_t>(bytes[used++]));
    if (event != Event::more) return {event, used};
  }
  if (used == bytes.size()) return {Event::more, used};

  const bool skips = stage_ == Stage::skip;
  const std::size_t size = std::min<std::size_t>(left_, bytes.size() - used);
  payload_ = bytes.subspan(used, size);
  left_ -= static_cast<std::uint32_t>(size);
  used += size;
  if (left_ == 0) stage_ = Stage::type;
  if (skips) return {left_ == 0 ? Event::too_large : Event::more, used};
  return {Event::payload, used};
}

PacketReader::Event PacketReader::fail(Reason fault) {
  fault_ = fault;
  return Event::failed;
}

void PacketReader::begin(Stage stage, std::uint32_t wanted) {
  stage_ = stage;
  wanted_ = wanted;
  number_ = 0;
  shift_ = 0;
}

PacketReader::Event PacketReader::feed(std::uint8_t byte) {
  if (stage_ == Stage::type) return feed_type(byte);
  if (stage_ == Stage::length || stage_ == Stage::properties_size || stage_ == Stage::other_properties_size) {
    VariableInteger integer{number_, shift_, false};
    if (integer.feed(byte)) wanted_ = 0;
    if (integer.failed) return fail(Reason::malformed_packet);
    number_ = integer.value;
    shift_ = integer.shift;
  } else {
    --wanted_;
    number_ = number_ << 8 | byte;
    if (stage_ <= Stage::topic ? stage_ != Stage::topic_size : stage_ == Stage::properties) {
      if (stored_ < head_.size()) head_[stored_] = static_cast<char>(byte);
      ++stored_;
    }
  }
  if (stage_ != Stage::length) --left_;
  while (wanted_ == 0) {
    if (const Event event = next_stage(); event != Event::more) return event;
  }
  return left_ != 0 || stage_ == Stage::length ? Event::more : fail(Reason::malformed_packet);
}

PacketReader::Event PacketReader::feed_type(std::uint8_t byte) {
  first_ = byte;
  stored_ = 0;
  properties_ = {};
  const PacketType type = this->type();
  if (type == PacketType::reserved) return fail(Reason::malformed_packet);
  if ((bit(type) & never_received) != 0) return fail(Reason::protocol_error);
  if (type != PacketType::publish) {
    // 2.1.3: reserved flags have fixed values.
    if ((byte & 0xF) != (type == PacketType::pubrel ? 2 : 0)) return fail(Reason::malformed_packet);
  } else if (qos() == 3) {  // 3.3.1.2
    return fail(Reason::malformed_packet);
  } else if (qos() == 0 && (byte & 8) != 0) {  // 3.3.1.1: DUP
    return fail(Reason::protocol_error);
  }
  // 3.2: CONNACK comes first, and once. 3.14.4 and 3.2.2.2: nothing comes after DISCONNECT, or after a CONNACK with an
  // error.
  if (phase_ != (type == PacketType::connack ? Phase::connecting : Phase::connected))
    return fail(Reason::protocol_error);
  begin(Stage::length, 1);
  return Event::more;
}

PacketReader::Event PacketReader::next_stage() {
  switch (stage_) {
    case Stage::length:
      left_ = number_;
      // 3.1.2.11.4: the fixed header counts, too.
      if (left_ + 1 + shift_ / 7 > max_packet_size_) return fail(Reason::packet_too_large);
      if (type() == PacketType::publish) {
        begin(Stage::topic_size, 2);
      } else {
        begin(Stage::beginning, std::min<std::uint32_t>(left_, kinds[static_cast<unsigned>(type())].beginning));
      }
      break;
    case Stage::topic_size:
      topic_size_ = static_cast<std::uint16_t>(number_);
      begin(Stage::topic, topic_size_);
      break;
    case Stage::topic: begin(Stage::packet_id, qos() == 0 ? 0 : 2); break;
    case Stage::packet_id:
      packet_id_ = static_cast<std::uint16_t>(number_);
      if (packet_id_ == 0 && qos() != 0) return fail(Reason::protocol_error);  // 2.2.1
      begin(Stage::properties_size, 1);
      break;
    case Stage::properties_size: begin(Stage::properties, number_); break;
    case Stage::properties: return end_of_head();
    default: return next_other_stage();
  }
  return Event::more;
}

PacketReader::Event PacketReader::next_other_stage() {
  switch (stage_) {
    case Stage::beginning: return end_of_beginning();
    case Stage::other_properties_size:
      if (number_ > left_) return fail(Reason::malformed_packet);
      properties_left_ = number_;
      properties_at_ = stored_;
      seen_ = 0;
      return next_property();
    case Stage::identifier: return begin_property();
    case Stage::block_size: return begin_part(Stage::block, number_);
    case Stage::block:
      if (--blocks_ != 0) return begin_part(Stage::block_size, 2);
      return end_property();
    case Stage::number: return end_property();
    default: return end_of_packet();
  }
}

PacketReader::Event PacketReader::end_of_head() {
  if (stored_ > head_.size()) {
    begin(Stage::skip, left_);
    if (left_ != 0) return Event::more;
    stage_ = Stage::type;
    return Event::too_large;
  }
  const std::string_view topic(head_.data(), topic_size_);
  properties_ = {head_.data() + topic_size_, stored_ - topic_size_};
  if (!is_valid_string(topic)) return fail(Reason::malformed_packet);  // 1.5.4
  Reason fault = check_properties(properties_, in::publish);
  // 3.3.2.1 and 4.7.3: no wildcards. An empty topic needs a topic alias, which the server may not use.
  if (fault == Reason::success && !is_valid_topic(topic)) fault = Reason::protocol_error;
  if (fault != Reason::success) return fail(fault);
  stage_ = left_ == 0 ? Stage::type : Stage::payload;
  return Event::packet;
}

PacketReader::Event PacketReader::end_of_beginning() {
  if (stored_ > head_.size()) return fail(Reason::packet_too_large);
  std::string_view rest(head_.data(), stored_);
  if (type() != PacketType::pingresp) {
    if (const Reason fault = read_beginning(rest); fault != Reason::success) return fail(fault);
  }
  codes_ = rest.empty() ? std::string_view(&no_code, 1) : rest;
  if (left_ == 0) {
    // 3.4.2.1, 3.4.2.2 and 3.14.2.1: a missing reason code is 0, and the properties after it may be missing.
    if (!kinds[static_cast<unsigned>(type())].may_be_short) return fail(Reason::malformed_packet);
    return end_of_packet();
  }
  if (type() == PacketType::pingresp) return fail(Reason::malformed_packet);  // 3.13
  begin(Stage::other_properties_size, 1);
  return Event::more;
}

PacketReader::Event PacketReader::begin_part(Stage stage, std::uint32_t wanted) {
  if (wanted > properties_left_) return fail(Reason::malformed_packet);
  properties_left_ -= wanted;
  begin(stage, wanted);
  return Event::more;
}

PacketReader::Event PacketReader::next_property() {
  property_at_ = stored_;
  if (properties_left_ != 0) return begin_part(Stage::identifier, 1);
  properties_ = {head_.data() + properties_at_, stored_ - properties_at_};
  if (!is_list(type()) && left_ != 0) return fail(Reason::malformed_packet);
  begin(Stage::codes, left_);
  return Event::more;
}

PacketReader::Event PacketReader::begin_property() {
  const unsigned packet = kinds[static_cast<unsigned>(type())].properties;
  PropertyParts parts;
  const Reason fault = mqtt::begin_property(static_cast<std::uint8_t>(number_), packet, seen_, parts);
  if (fault != Reason::success) return fail(fault);
  blocks_ = parts.blocks;
  return blocks_ == 0 ? begin_part(Stage::number, parts.number_size) : begin_part(Stage::block_size, 2);
}

/// Drops a string that the caller does not read, so that the next properties can use its space.
PacketReader::Event PacketReader::end_property() {
  const bool is_number = stage_ == Stage::number;
  const bool fits = stored_ <= head_.size();
  const std::size_t end = std::min<std::size_t>(stored_, head_.size());
  const std::string_view property(head_.data() + property_at_, end - property_at_);
  if (fits) {
    const Reason fault = check_properties(property, kinds[static_cast<unsigned>(type())].properties);
    if (fault != Reason::success) return fail(fault);
  }
  const bool is_wanted = is_number || (!user_property_.empty() && is_user_property(property, user_property_));
  if (is_wanted && !fits) return fail(Reason::packet_too_large);
  // Without a name, strings are kept while there is space for the later numbers of CONNACK and the codes.
  const std::size_t reserve = type() == PacketType::connack ? numbers_size : left_ - properties_left_;
  const bool is_stored = is_wanted || (user_property_.empty() && stored_ + reserve <= head_.size());
  if (!is_stored) stored_ = property_at_;
  return next_property();
}

PacketReader::Event PacketReader::end_of_packet() {
  if (stored_ > head_.size()) return fail(Reason::packet_too_large);
  const std::size_t codes_at = properties_at_ + properties_.size();
  if (is_list(type())) codes_ = {head_.data() + codes_at, stored_ - codes_at};
  stage_ = Stage::type;
  if (type() == PacketType::pingresp) return Event::packet;
  if (const Reason fault = check_codes(); fault != Reason::success) return fail(fault);
  return Event::packet;
}

/// Removes the bytes before the reason code and the properties.
Reason PacketReader::read_beginning(std::string_view& rest) {
  std::string_view taken;
  if (type() == PacketType::disconnect) return Reason::success;
  if (type() != PacketType::connack) {
    if (!read_bytes(rest, 2, taken)) return Reason::malformed_packet;
    packet_id_ = static_cast<std::uint16_t>(number_of(taken));
    return packet_id_ != 0 ? Reason::success : Reason::protocol_error;  // 2.2.1
  }
  if (!read_bytes(rest, 1, taken)) return Reason::malformed_packet;
  const auto flags = static_cast<std::uint8_t>(taken.front());
  if (flags > 1) return Reason::malformed_packet;  // 3.2.2.1
  // 3.2.2.1.1: the server has no session after a clean start.
  return flags == 0 ? Reason::success : Reason::protocol_error;
}

Reason PacketReader::check_codes() {
  if (codes_.empty()) return Reason::protocol_error;  // 3.8.3: SUBSCRIBE has at least one filter
  for (const char c : codes_) {
    if (!is_valid_code(static_cast<std::uint8_t>(c), kinds[static_cast<unsigned>(type())].codes))
      return Reason::protocol_error;
  }
  if (type() == PacketType::connack) phase_ = is_error(code()) ? Phase::ended : Phase::connected;
  if (type() == PacketType::disconnect) phase_ = Phase::ended;
  return Reason::success;
}

}  // namespace mcp::mqtt
