// SPDX-License-Identifier: Apache-2.0
#include "mqtt/packet_properties.hpp"

#include "mcp/json/text.hpp"
#include "mcp/mqtt/topic.hpp"

namespace mcp::mqtt {
namespace {

/// The form of a value, and the allowed values. Source: OASIS MQTT 5.0 sections 1.5 and 2.2.2.2.
enum class Form : std::uint8_t {
  flag,              // one byte, 0 or 1
  two,               // two bytes
  two_not_zero,      // two bytes, not 0
  four,              // four bytes
  four_not_zero,     // four bytes, not 0
  binary,            // two bytes of length, and any bytes
  text,              // two bytes of length, and a string
  topic,             // a string that is a topic name
  integer_not_zero,  // a variable byte integer, not 0
  pair,              // two strings
};
/// Properties with this or a later form may occur more than once.
constexpr Form first_repeated = Form::integer_not_zero;

/// A property that a server may send. In a packet of `forbidden` it is a protocol error. In a packet that is neither in
/// `allowed` nor in `forbidden` it is a malformed packet.
struct Row {
  std::uint8_t identifier;
  Form form;
  unsigned char allowed : 4;
  unsigned char forbidden : 4;
};

constexpr Row rows[] = {
    {0x01, Form::flag, in::publish, 0},                   // payload format indicator
    {0x02, Form::four, in::publish, 0},                   // message expiry interval
    {0x03, Form::text, in::publish, 0},                   // content type
    {0x08, Form::topic, in::publish, 0},                  // response topic
    {0x09, Form::binary, in::publish, 0},                 // correlation data
    {0x0B, Form::integer_not_zero, in::publish, 0},       // subscription identifier
    {0x11, Form::four, in::connack, in::disconnect},      // session expiry interval; 3.14.2.2.2: not from a server
    {0x12, Form::text, in::connack, 0},                   // assigned client identifier
    {0x13, Form::two, in::connack, 0},                    // server keep alive
    {0x15, Form::text, 0, in::connack},                   // authentication method; 4.12: the client has sent none
    {0x16, Form::binary, 0, in::connack},                 // authentication data; as authentication method
    {0x1A, Form::text, 0, in::connack},                   // response information; 3.1.2.11.6: the client requests none
    {0x1C, Form::text, in::connack | in::disconnect, 0},  // server reference
    {0x1F, Form::text, in::connack | in::ack | in::disconnect, 0},  // reason string
    {0x21, Form::two_not_zero, in::connack, 0},                     // receive maximum
    {0x22, Form::two, in::connack, 0},                              // topic alias maximum
    {0x23, Form::two, 0, in::publish},   // topic alias; 3.3.2.3.4: the maximum of the client is 0
    {0x24, Form::flag, in::connack, 0},  // maximum QoS
    {0x25, Form::flag, in::connack, 0},  // retain available
    {0x26, Form::pair, in::connack | in::publish | in::ack | in::disconnect, 0},  // user property
    {0x27, Form::four_not_zero, in::connack, 0},                                  // maximum packet size
    {0x28, Form::flag, in::connack, 0},                                           // wildcard subscription available
    {0x29, Form::flag, in::connack, 0},                                           // subscription identifiers available
    {0x2A, Form::flag, in::connack, 0},                                           // shared subscription available
};
constexpr std::uint8_t topic_alias = 0x23;
constexpr std::uint8_t user_property_identifier = 0x26;
static_assert(std::size(rows) <= 32, "check_row() has a bit for each row");

/// One property of a packet. `second` is the value of a user property, whose name is `value`.
struct Item {
  const Row* row;
  std::string_view value;
  std::string_view second;
};

/// Removes a string or binary data.
bool read_block(std::string_view& rest, std::string_view& taken) {
  std::string_view size;
  return read_bytes(rest, 2, size) && read_bytes(rest, number_of(size), taken);
}

/// Returns nullptr for an unknown property.
const Row* find_row(std::uint8_t identifier) {
  for (const Row& row : rows) {
    if (row.identifier == identifier) return &row;
  }
  return nullptr;
}

/// Checks that the packet may have the property, and has it only once. `seen` has a bit for each row.
Reason check_row(const Row& row, unsigned packet, std::uint32_t& seen) {
  if ((row.forbidden & packet) != 0)
    return row.identifier == topic_alias ? Reason::topic_alias_invalid : Reason::protocol_error;
  if ((row.allowed & packet) == 0) return Reason::malformed_packet;
  const std::uint32_t bit = 1u << (&row - rows);
  if ((seen & bit) != 0 && row.form < first_repeated) return Reason::protocol_error;
  seen |= bit;
  return Reason::success;
}

/// Removes a property. Returns false if it is malformed or unknown.
bool read_item(std::string_view& rest, Item& item) {
  std::string_view identifier;
  if (!read_bytes(rest, 1, identifier)) return false;
  item.row = find_row(static_cast<std::uint8_t>(identifier.front()));
  if (item.row == nullptr) return false;
  switch (item.row->form) {
    case Form::flag: return read_bytes(rest, 1, item.value);
    case Form::two:
    case Form::two_not_zero: return read_bytes(rest, 2, item.value);
    case Form::four:
    case Form::four_not_zero: return read_bytes(rest, 4, item.value);
    case Form::integer_not_zero: {
      const std::string_view before = rest;
      std::uint32_t number = 0;
      if (!read_integer(rest, number)) return false;
      item.value = {before.data(), before.size() - rest.size()};
      return true;
    }
    case Form::pair: return read_block(rest, item.value) && read_block(rest, item.second);
    default: return read_block(rest, item.value);
  }
}

/// Checks a value of the right size.
Reason check_value(const Item& item) {
  bool valid = true;
  switch (item.row->form) {
    case Form::flag: valid = static_cast<std::uint8_t>(item.value.front()) <= 1; break;
    case Form::two_not_zero:
    case Form::four_not_zero:
    case Form::integer_not_zero: valid = number_of(item.value) != 0; break;
    case Form::pair:
      if (!is_valid_string(item.second)) return Reason::malformed_packet;
      [[fallthrough]];
    case Form::text:
    case Form::topic:
      if (!is_valid_string(item.value)) return Reason::malformed_packet;
      valid = item.row->form != Form::topic || is_valid_topic(item.value);
      break;
    default: break;
  }
  return valid ? Reason::success : Reason::protocol_error;
}

}  // namespace

bool VariableInteger::feed(std::uint8_t byte) {
  value |= (byte & 0x7Fu) << shift;
  shift = static_cast<std::uint8_t>(shift + 7);
  const bool continues = byte >= 0x80;
  // 1.5.5: a number has at most 4 bytes, and no more bytes than necessary.
  failed = continues ? shift == 28 : byte == 0 && shift != 7;
  return !continues || failed;
}

bool read_bytes(std::string_view& rest, std::size_t size, std::string_view& taken) {
  if (rest.size() < size) return false;
  taken = {rest.data(), size};
  rest.remove_prefix(size);
  return true;
}

bool read_integer(std::string_view& rest, std::uint32_t& value) {
  VariableInteger integer{};
  std::string_view byte;
  do {
    if (!read_bytes(rest, 1, byte)) return false;
  } while (!integer.feed(static_cast<std::uint8_t>(byte.front())));
  value = integer.value;
  return !integer.failed;
}

std::uint32_t number_of(std::string_view bytes) {
  std::uint32_t number = 0;
  for (const char c : bytes) number = number << 8 | static_cast<std::uint8_t>(c);
  return number;
}

Reason check_properties(std::string_view properties, unsigned packet) {
  std::uint32_t seen = 0;
  while (!properties.empty()) {
    Item item{};
    if (!read_item(properties, item)) return Reason::malformed_packet;
    if (const Reason fault = check_row(*item.row, packet, seen); fault != Reason::success) return fault;
    if (const Reason fault = check_value(item); fault != Reason::success) return fault;
  }
  return Reason::success;
}

Reason begin_property(std::uint8_t identifier, unsigned packet, std::uint32_t& seen, PropertyParts& parts) {
  const Row* const row = find_row(identifier);
  if (row == nullptr) return Reason::malformed_packet;
  switch (row->form) {
    case Form::flag: parts = {.number_size = 1}; break;
    case Form::two:
    case Form::two_not_zero: parts = {.number_size = 2}; break;
    case Form::four:
    case Form::four_not_zero: parts = {.number_size = 4}; break;
    case Form::pair: parts = {.blocks = 2}; break;
    default: parts = {.blocks = 1}; break;
  }
  return check_row(*row, packet, seen);
}

bool is_user_property(std::string_view property, std::string_view name) {
  std::string_view identifier;
  std::string_view taken;
  return read_bytes(property, 1, identifier) && identifier.front() == char{user_property_identifier} &&
         read_block(property, taken) && json::equal(taken, name);
}

std::optional<std::string_view> Properties::user_property(std::string_view name) const {
  std::string_view rest = bytes_;
  Item item{};
  while (read_item(rest, item)) {
    if (item.row->identifier == user_property_identifier && json::equal(item.value, name)) return item.second;
  }
  return std::nullopt;
}

std::string_view Properties::value(std::uint8_t identifier) const {
  std::string_view rest = bytes_;
  Item item{};
  while (read_item(rest, item)) {
    if (item.row->identifier == identifier) return item.value;
  }
  return {};
}

std::optional<std::uint32_t> Properties::number(std::uint8_t identifier) const {
  const std::string_view bytes = value(identifier);
  if (bytes.empty()) return std::nullopt;
  return number_of(bytes);
}

std::uint32_t Properties::number(std::uint8_t identifier, std::uint32_t otherwise) const {
  const std::string_view bytes = value(identifier);
  return bytes.empty() ? otherwise : number_of(bytes);
}

}  // namespace mcp::mqtt
