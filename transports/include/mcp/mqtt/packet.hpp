// SPDX-License-Identifier: Apache-2.0
/// @file
/// Reads the MQTT 5.0 packets that a server sends to a client, in pieces of any size. PacketReader does not depend on
/// sockets or time.
/// @code
/// using mcp::mqtt::PacketReader;
/// void print(std::string_view topic, std::span<const char> piece);
/// std::size_t feed(PacketReader& reader, std::span<const char> bytes) {
///   const PacketReader::Result result = reader.read(bytes);
///   if (result.event == PacketReader::Event::payload) print("payload", reader.payload());
///   return result.used;  // the caller removes these bytes, and calls again with the rest
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace mcp::mqtt {

/// The types of control packets. The values are those on the wire. Source: OASIS MQTT 5.0 section 2.1.2.
enum class PacketType : std::uint8_t {
  reserved,     ///< Forbidden.
  connect,      ///< A client opens a connection.
  connack,      ///< The server accepts or rejects CONNECT.
  publish,      ///< A message to a topic.
  puback,       ///< Acknowledges a PUBLISH with QoS 1.
  pubrec,       ///< QoS 2, second packet.
  pubrel,       ///< QoS 2, third packet.
  pubcomp,      ///< QoS 2, fourth packet.
  subscribe,    ///< A client adds subscriptions.
  suback,       ///< Acknowledges SUBSCRIBE.
  unsubscribe,  ///< A client removes subscriptions.
  unsuback,     ///< Acknowledges UNSUBSCRIBE.
  pingreq,      ///< A client checks the connection.
  pingresp,     ///< The response to PINGREQ.
  disconnect,   ///< Either side ends the connection.
  auth,         ///< Enhanced authentication.
};

/// The reason codes of all packets. The values are those on the wire. Source: OASIS MQTT 5.0 section 2.4.
enum class Reason : std::uint8_t {
  success = 0x00,                                 ///< Success; normal disconnection; a subscription with QoS 0.
  granted_qos_1 = 0x01,                           ///< SUBACK: a subscription with QoS 1.
  granted_qos_2 = 0x02,                           ///< SUBACK: a subscription with QoS 2.
  disconnect_with_will = 0x04,                    ///< DISCONNECT of a client: the server publishes the will.
  no_matching_subscribers = 0x10,                 ///< PUBACK: accepted, and no client receives it.
  no_subscription_existed = 0x11,                 ///< UNSUBACK: the subscription did not exist.
  unspecified_error = 0x80,                       ///< The sender does not reveal the reason, or has no code for it.
  malformed_packet = 0x81,                        ///< The bytes are not a packet of MQTT 5.0.
  protocol_error = 0x82,                          ///< The packet has a forbidden value, or comes at the wrong time.
  implementation_specific_error = 0x83,           ///< A valid packet that the receiver cannot process.
  unsupported_protocol_version = 0x84,            ///< The server does not support MQTT 5.0.
  client_identifier_not_valid = 0x85,             ///< The server rejects this client identifier.
  bad_user_name_or_password = 0x86,               ///< The server rejects the user name or the password.
  not_authorized = 0x87,                          ///< The client may not do this.
  server_unavailable = 0x88,                      ///< The server is not available.
  server_busy = 0x89,                             ///< The server is busy; try again later.
  banned = 0x8A,                                  ///< An administrator has banned the client.
  server_shutting_down = 0x8B,                    ///< The server shuts down.
  bad_authentication_method = 0x8C,               ///< The server does not support the authentication method.
  keep_alive_timeout = 0x8D,                      ///< The server got no packet for 1.5 times the keep alive.
  session_taken_over = 0x8E,                      ///< Another connection uses the same client identifier.
  topic_filter_invalid = 0x8F,                    ///< A well-formed filter that the server does not accept.
  topic_name_invalid = 0x90,                      ///< A well-formed topic that the receiver does not accept.
  packet_identifier_in_use = 0x91,                ///< The packet identifier is in use.
  packet_identifier_not_found = 0x92,             ///< The packet identifier is unknown (QoS 2).
  receive_maximum_exceeded = 0x93,                ///< More messages without acknowledgement than the receive maximum.
  topic_alias_invalid = 0x94,                     ///< The topic alias is 0 or above the topic alias maximum.
  packet_too_large = 0x95,                        ///< The packet is larger than the receiver allows.
  message_rate_too_high = 0x96,                   ///< Too many messages in a given time.
  quota_exceeded = 0x97,                          ///< A limit of the receiver is exceeded.
  administrative_action = 0x98,                   ///< An administrator has closed the connection.
  payload_format_invalid = 0x99,                  ///< The payload does not have the format that PUBLISH states.
  retain_not_supported = 0x9A,                    ///< The server does not keep messages.
  qos_not_supported = 0x9B,                       ///< The QoS is above the maximum of the server.
  use_another_server = 0x9C,                      ///< Use another server for now.
  server_moved = 0x9D,                            ///< Use another server from now on.
  shared_subscriptions_not_supported = 0x9E,      ///< The server has no shared subscriptions.
  connection_rate_exceeded = 0x9F,                ///< Too many connections in a given time.
  maximum_connect_time = 0xA0,                    ///< The time of this connection is over.
  subscription_identifiers_not_supported = 0xA1,  ///< The server has no subscription identifiers.
  wildcard_subscriptions_not_supported = 0xA2,    ///< The server accepts no filters with `+` or `#`.
};

/// True for a reason that reports an error.
[[nodiscard]] constexpr bool is_error(Reason reason) { return static_cast<std::uint8_t>(reason) >= 0x80; }

/// The properties of a packet. PacketReader has checked them.
/// Lifetime: the properties and all views that they return are valid until the next PacketReader::read(). Each call
/// takes a time that is linear in the bytes of the properties. Source: OASIS MQTT 5.0 section 2.2.2.
class Properties {
 public:
  constexpr Properties() = default;
  /// For PacketReader: valid properties, without their length.
  constexpr explicit Properties(std::string_view bytes) : bytes_(bytes) {}

  /// Returns the value of the first user property with this name. Empty without one.
  [[nodiscard]] std::optional<std::string_view> user_property(std::string_view name) const;

 protected:
  /// Returns the bytes of a value, without the length of a string. Its data() is nullptr without the property.
  [[nodiscard]] std::string_view value(std::uint8_t identifier) const;
  /// Returns a number of 1, 2 or 4 bytes. Empty without the property.
  [[nodiscard]] std::optional<std::uint32_t> number(std::uint8_t identifier) const;
  /// Returns a number, or `otherwise` without the property.
  [[nodiscard]] std::uint32_t number(std::uint8_t identifier, std::uint32_t otherwise) const;

 private:
  std::string_view bytes_;
};

/// CONNACK: the outcome of CONNECT, and the limits of the server. Without a property, a function returns the default of
/// the standard. Lifetime: until the next PacketReader::read().
/// Source: OASIS MQTT 5.0 section 3.2.
class Connack : public Properties {
 public:
  /// For PacketReader: the members that it has read.
  constexpr Connack(Reason code, std::string_view properties) : Properties(properties), reason(code) {}

  /// `success`, or an error after which the server closes the connection.
  Reason reason;

  /// Messages with QoS 1 or 2 that the client may have sent without an acknowledgement: 1 to 65535.
  [[nodiscard]] std::uint16_t receive_maximum() const { return static_cast<std::uint16_t>(number(0x21, 0xFFFF)); }
  /// The highest QoS of a PUBLISH to the server: 0, 1 or 2.
  [[nodiscard]] std::uint8_t maximum_qos() const { return static_cast<std::uint8_t>(number(0x24, 2)); }
  /// True if the server keeps messages with `retain`.
  [[nodiscard]] bool retain_available() const { return number(0x25, 1) != 0; }
  /// The largest packet to the server in bytes, with its fixed header. UINT32_MAX without a limit.
  [[nodiscard]] std::uint32_t maximum_packet_size() const { return number(0x27, UINT32_MAX); }
  /// The keep alive in seconds that replaces that of CONNECT. 0 disables it. Empty: the keep alive of CONNECT applies.
  [[nodiscard]] std::optional<std::uint32_t> server_keep_alive() const { return number(0x13); }
  /// The client identifier that the server has chosen. Empty if CONNECT had one.
  [[nodiscard]] std::string_view assigned_client_id() const { return value(0x12); }
  /// A diagnostic message for people. Empty without one.
  [[nodiscard]] std::string_view reason_string() const { return value(0x1F); }
  /// The other server to use after `use_another_server` and `server_moved`. Empty without one.
  [[nodiscard]] std::string_view server_reference() const { return value(0x1C); }
  /// True if filters may contain `+` and `#`.
  [[nodiscard]] bool wildcard_available() const { return number(0x28, 1) != 0; }
  /// True if filters may begin with `$share/`.
  [[nodiscard]] bool shared_available() const { return number(0x2A, 1) != 0; }
};

/// PUBLISH without its payload, which PacketReader::payload() returns in pieces.
/// Lifetime: until the next PacketReader::read(). Source: OASIS MQTT 5.0 section 3.3.
class Publish : public Properties {
 public:
  /// For PacketReader: the members that it has read.
  constexpr explicit Publish(std::string_view properties) : Properties(properties) {}

  std::string_view topic;        ///< A valid topic name. Empty after Event::too_large.
  std::uint16_t packet_id{};     ///< For the acknowledgement: 1 to 65535; 0 for QoS 0.
  std::uint32_t payload_size{};  ///< Bytes of the whole payload. 0 after Event::too_large.
  std::uint8_t qos{};            ///< 0, 1 or 2.
  bool retain{};                 ///< The server had kept the message, or the subscription keeps the flag.
  bool dup{};                    ///< The server may have sent the message before. Always false for QoS 0.

  /// The topic for the response. Empty without one.
  [[nodiscard]] std::string_view response_topic() const { return value(0x08); }
  /// Bytes that the response repeats. Their data() is nullptr without the property.
  [[nodiscard]] std::string_view correlation_data() const { return value(0x09); }
  /// The content type, such as "application/json". Empty without one.
  [[nodiscard]] std::string_view content_type() const { return value(0x03); }
  /// The seconds until the message expires. Empty: it does not expire.
  [[nodiscard]] std::optional<std::uint32_t> message_expiry() const { return number(0x02); }
  /// True if the sender states that the payload is UTF-8. PacketReader does not check the payload.
  [[nodiscard]] bool payload_is_utf8() const { return number(0x01, 0) != 0; }
};

/// An acknowledgement: PUBACK, PUBREC, PUBREL, PUBCOMP, SUBACK or UNSUBACK.
/// Lifetime: until the next PacketReader::read(). Source: OASIS MQTT 5.0 sections 3.4 to 3.7, 3.9 and 3.11.
class Ack : public Properties {
 public:
  /// For PacketReader: the members that it has read.
  constexpr Ack(std::string_view codes, std::string_view properties) : Properties(properties), codes_(codes) {}

  PacketType type{};          ///< The type of the acknowledgement.
  std::uint16_t packet_id{};  ///< The identifier of the acknowledged packet: 1 to 65535.

  /// The number of reason codes, at least 1. SUBACK and UNSUBACK have one for each filter, in the same order.
  [[nodiscard]] std::size_t size() const { return codes_.size(); }
  /// Returns a reason code. `index` is below size().
  [[nodiscard]] Reason reason(std::size_t index = 0) const {
    return static_cast<Reason>(static_cast<std::uint8_t>(codes_[index]));
  }
  /// A diagnostic message for people. Empty without one.
  [[nodiscard]] std::string_view reason_string() const { return value(0x1F); }

 private:
  std::string_view codes_;
};

/// DISCONNECT of the server. Lifetime: until the next PacketReader::read(). Source: OASIS MQTT 5.0 section 3.14.
class Disconnect : public Properties {
 public:
  /// For PacketReader: the members that it has read.
  constexpr Disconnect(Reason code, std::string_view properties) : Properties(properties), reason(code) {}

  /// The reason why the server closes the connection.
  Reason reason;

  /// A diagnostic message for people. Empty without one.
  [[nodiscard]] std::string_view reason_string() const { return value(0x1F); }
  /// The other server to use after `use_another_server` and `server_moved`. Empty without one.
  [[nodiscard]] std::string_view server_reference() const { return value(0x1C); }
};

/// Reads and checks the packets of one connection. The client sends `clean start`. It sends no topic alias maximum, no
/// authentication method and no request for response information. It checks each rule of the standard that one packet
/// can break, that CONNACK comes first and once, and that nothing comes after DISCONNECT. The caller compares
/// acknowledgements with its packets: packet identifiers, number of reason codes, and QoS 2 if it does not use QoS 2.
/// Use a new reader for each connection. Context: main loop. Source: OASIS MQTT 5.0.
class PacketReader {
 public:
  /// `head` stores one packet. The topic and the properties of a PUBLISH must fit, but not its payload. The reader
  /// drops strings of other packets that do not fit, such as reason strings and user properties. Their numbers and
  /// reason codes must fit, for which 64 bytes are enough. 256 bytes are enough for the PUBLISH packets of most
  /// servers.
  /// `max_packet_size`: the maximum packet size in CONNECT, in bytes; UINT32_MAX without one.
  /// `user_property`: if it is not empty, the reader drops all strings of packets other than PUBLISH, except the user
  /// property with this name, which must fit. So no other string takes the space of this property.
  /// Ownership: the buffer and the name belong to the caller. Lifetime: as long as the reader.
  constexpr explicit PacketReader(std::span<char> head, std::uint32_t max_packet_size = UINT32_MAX,
                                  std::string_view user_property = {})
      : head_(head), user_property_(user_property), max_packet_size_(max_packet_size) {}

  /// The result of read().
  enum class Event : std::uint8_t {
    more,       ///< All bytes are used, and the packet needs more.
    packet,     ///< type() is complete. The payload of a PUBLISH follows; see payload_left().
    payload,    ///< payload() is the next piece of the payload. It is the last one if payload_left() is 0.
    too_large,  ///< A PUBLISH has been skipped, because its topic and properties do not fit into `head`. publish() has
                ///< its flags and its packet identifier.
    failed,     ///< The server broke a rule. The caller sends a DISCONNECT with fault() and closes the connection.
  };

  /// The outcome of read().
  struct Result {
    Event event;       ///< The event.
    std::size_t used;  ///< The bytes at the beginning of the input that the reader has used.
  };

  /// Reads until the first event. The caller removes `used` bytes and calls again with the rest, until the event is
  /// `more`. The sizes of the inputs do not change the events, except the pieces of a payload.
  /// Limits: see PacketReader(). A PUBLISH that does not fit is skipped. The reader fails with `packet_too_large` for
  /// another packet without space for its numbers and reason codes, and for a packet above `max_packet_size`. A dropped
  /// string that does not fit is not checked for UTF-8.
  /// Errors: `failed`, also for each further call, without using bytes.
  [[nodiscard]] Result read(std::span<const char> bytes);

  /// Returns the type of the packet, after Event::packet.
  [[nodiscard]] PacketType type() const { return static_cast<PacketType>(first_ >> 4); }
  /// Returns the packet, after Event::packet with PacketType::connack.
  [[nodiscard]] Connack connack() const { return {code(), properties_}; }
  /// Returns the packet, after Event::packet with PacketType::publish, and after Event::too_large.
  [[nodiscard]] Publish publish() const;
  /// Returns the packet, after Event::packet with the type of an acknowledgement.
  [[nodiscard]] Ack ack() const;
  /// Returns the packet, after Event::packet with PacketType::disconnect.
  [[nodiscard]] Disconnect disconnect() const { return {code(), properties_}; }

  /// Returns a part of the bytes of the last read(), after Event::payload. Nothing is copied.
  [[nodiscard]] std::span<const char> payload() const { return payload_; }
  /// Returns the number of payload bytes still to come, after Event::packet and Event::payload.
  [[nodiscard]] std::uint32_t payload_left() const { return left_; }

  /// Returns the reason of the failure for the DISCONNECT of the client; `success` before a failure.
  /// Source: OASIS MQTT 5.0 sections 3.14.2.1 and 4.13.
  [[nodiscard]] Reason fault() const { return fault_; }

 private:
  /// The part of a packet that comes next. The parts of a PUBLISH are in the order of the wire.
  enum class Stage : std::uint8_t {
    type,
    length,
    // In other packets than PUBLISH: the bytes before the length of the properties, and for each property, its
    // identifier and its number or strings.
    beginning,
    other_properties_size,
    identifier,
    number,
    block_size,
    block,
    codes,  // in SUBACK and UNSUBACK
    // In a PUBLISH.
    topic_size,
    topic,
    packet_id,
    properties_size,
    properties,
    payload,
    skip,
  };
  /// The phase of the connection, which restricts the packets that the server may send.
  enum class Phase : std::uint8_t { connecting, connected, ended };

  [[nodiscard]] unsigned qos() const { return first_ >> 1 & 3u; }
  [[nodiscard]] Reason code() const { return static_cast<Reason>(static_cast<std::uint8_t>(codes_.front())); }
  Event fail(Reason fault);
  Event feed(std::uint8_t byte);
  Event feed_type(std::uint8_t byte);
  Event next_stage();
  Event next_other_stage();
  Event end_of_head();
  Event end_of_beginning();
  Event begin_part(Stage stage, std::uint32_t wanted);
  Event next_property();
  Event begin_property();
  Event end_property();
  Event end_of_packet();
  Reason read_beginning(std::string_view& rest);
  Reason check_codes();
  void begin(Stage stage, std::uint32_t wanted);

  std::span<char> head_;
  std::string_view user_property_;
  std::uint32_t max_packet_size_;
  std::uint32_t left_ = 0;    // unused bytes of the packet
  std::uint32_t wanted_ = 0;  // unused bytes of this stage
  std::uint32_t number_ = 0;  // the number that is being read
  std::uint32_t stored_ = 0;  // bytes for head_, including bytes that do not fit
  // For packets other than PUBLISH:
  std::uint32_t properties_left_ = 0;  // bytes of the properties that belong to no stage yet
  std::uint32_t properties_at_ = 0;    // their position in head_
  std::uint32_t property_at_ = 0;      // the position of the current property
  std::uint32_t seen_ = 0;             // bits of begin_property()
  std::string_view properties_;
  std::string_view codes_;  // the reason codes
  std::span<const char> payload_;
  std::uint16_t topic_size_ = 0;
  std::uint16_t packet_id_ = 0;
  std::uint8_t blocks_ = 0;  // incomplete strings of the property
  std::uint8_t first_ = 0;   // the first byte of the packet
  std::uint8_t shift_ = 0;   // bits read of a variable byte integer
  Stage stage_ = Stage::type;
  Phase phase_ = Phase::connecting;
  Reason fault_ = Reason::success;
};

}  // namespace mcp::mqtt

#include <mcp/detail/epilogue.hpp>
