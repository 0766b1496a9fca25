// SPDX-License-Identifier: Apache-2.0
/// @file
/// Writes the MQTT 5.0 packets that a client sends. Each function writes one packet into a buffer.
/// @code
/// std::size_t write_value(std::span<char> buffer, std::string_view value, std::size_t server_limit) {
///   const mcp::mqtt::PublishHead head{.topic = "greenhouse/temperature", .retain = true};
///   const std::size_t size = mcp::mqtt::write_publish_head(buffer, head, value.size());
///   return size + value.size() <= server_limit ? size : 0;  // these bytes are sent, and then the value
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "mcp/mqtt/packet.hpp"

namespace mcp::mqtt {

// All functions that write a packet have these rules:
// - They return the bytes of the packet. They return 0 if the packet does not fit into the buffer, if a string or the
//   binary data of a property is longer than 65535 bytes, or if the packet is longer than 268,435,460 bytes. The buffer
//   has any contents then.
// - The caller passes strings that is_valid_string() accepts, topics that is_valid_topic() accepts, filters that
//   is_valid_filter() accepts, and packet identifiers that are not 0. The functions check none of this.
// - They keep no views. Strings and lists must be valid until the function returns. Context: main loop.

/// A name and a value that the standard does not define. Both are strings of at most 65535 bytes. A name may occur more
/// than once. Source: OASIS MQTT 5.0 section 2.2.2.2.
struct UserProperty {
  std::string_view name;   ///< The name.
  std::string_view value;  ///< The value.
};

/// The message that the server publishes when the connection ends without a DISCONNECT of the client.
/// Source: OASIS MQTT 5.0 sections 3.1.2.5 and 3.1.3.2.
struct Will {
  std::string_view topic;         ///< The topic name.
  std::string_view payload = {};  ///< Any bytes, at most 65535.
  std::uint8_t qos = 1;           ///< 0, 1 or 2; at most Connack::maximum_qos().
  bool retain = false;            ///< The server keeps the message for later subscriptions.
};

/// CONNECT. It always has `clean start`, and never a session expiry interval, a topic alias maximum or an
/// authentication method.
/// Source: OASIS MQTT 5.0 section 3.1.
struct Connect {
  std::string_view client_id;                          ///< The client identifier. If empty, the server assigns one.
  std::uint16_t keep_alive_s = 60;                     ///< The longest time between two packets; 0: no limit.
  std::uint16_t receive_maximum = 0xFFFF;              ///< Unacknowledged messages with QoS 1 and 2; not 0.
  std::uint32_t max_packet_size = UINT32_MAX;          ///< Largest packet to the client in bytes; UINT32_MAX: no limit.
  std::span<const UserProperty> user_properties = {};  ///< Properties of the connection.
  const Will* will = nullptr;                          ///< The will; nullptr: no will.
  std::optional<std::string_view> user_name = {};      ///< The user name; without a value, CONNECT has no user name.
  std::optional<std::string_view> password = {};       ///< Any bytes, at most 65535.
};

/// Writes CONNECT, the first packet of a connection.
[[nodiscard]] std::size_t write_connect(std::span<char> buffer, const Connect& connect);

/// A PUBLISH without its payload. Source: OASIS MQTT 5.0 section 3.3.
struct PublishHead {
  std::string_view topic;                              ///< The topic name.
  std::uint8_t qos = 0;                                ///< 0, 1 or 2; at most Connack::maximum_qos().
  bool retain = false;                                 ///< The server keeps the message; see retain_available().
  std::uint16_t packet_id = 0;                         ///< Not 0 for QoS 1 and 2. Not written for QoS 0.
  std::span<const UserProperty> user_properties = {};  ///< Properties of the message.
};

/// Writes all bytes of a PUBLISH before its payload. The caller then sends `payload_size` bytes of payload, if the
/// whole packet is not above Connack::maximum_packet_size().
[[nodiscard]] std::size_t write_publish_head(std::span<char> buffer, const PublishHead& head, std::size_t payload_size);

/// Writes PUBACK, the response to a PUBLISH with QoS 1. `reason` is a reason code of PUBACK.
/// Source: OASIS MQTT 5.0 section 3.4.
[[nodiscard]] std::size_t write_puback(std::span<char> buffer, std::uint16_t packet_id,
                                       Reason reason = Reason::success);

/// The retained messages that the server sends for a new subscription. Source: OASIS MQTT 5.0 section 3.8.3.1.
enum class RetainHandling : std::uint8_t {
  send,         ///< All matching messages.
  send_if_new,  ///< All matching messages, if the subscription did not exist.
  omit,         ///< No messages.
};

/// One filter of SUBSCRIBE. Source: OASIS MQTT 5.0 section 3.8.3.
struct Subscription {
  std::string_view filter;                                ///< The topic filter.
  std::uint8_t qos = 0;                                   ///< The highest QoS of its messages: 0, 1 or 2.
  bool no_local = false;                                  ///< Excludes the messages of this client. Not with `$share/`.
  bool retain_as_published = false;                       ///< Messages keep the flag `retain` of their sender.
  RetainHandling retain_handling = RetainHandling::send;  ///< The retained messages to send.
};

/// Writes SUBSCRIBE. The result is also 0 for an empty list, which the standard forbids.
[[nodiscard]] std::size_t write_subscribe(std::span<char> buffer, std::uint16_t packet_id,
                                          std::span<const Subscription> subscriptions);

/// Writes UNSUBSCRIBE. The result is also 0 for an empty list. Source: OASIS MQTT 5.0 section 3.10.
[[nodiscard]] std::size_t write_unsubscribe(std::span<char> buffer, std::uint16_t packet_id,
                                            std::span<const std::string_view> filters);

/// Writes PINGREQ, two bytes. Source: OASIS MQTT 5.0 section 3.12.
[[nodiscard]] std::size_t write_pingreq(std::span<char> buffer);

/// Writes DISCONNECT, the last packet of a connection. After `success` the server discards the will. `reason` is a
/// reason code of DISCONNECT, such as PacketReader::fault(). Source: OASIS MQTT 5.0 section 3.14.
[[nodiscard]] std::size_t write_disconnect(std::span<char> buffer, Reason reason = Reason::success);

}  // namespace mcp::mqtt

#include <mcp/detail/epilogue.hpp>
