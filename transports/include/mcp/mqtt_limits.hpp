// SPDX-License-Identifier: Apache-2.0
/// @file
/// The sizes and times of MCP over MQTT.
/// @code
/// constexpr mcp::MqttLimits mqtt_limits{.calls = 4,
///                                       .silent_ms = 300'000,
///                                       .max_retry_ms = 30'000};  // the first retry is at most 1 s after the end
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/mqtt/mqtt_client.hpp"
#include "mcp/port.hpp"
#include "mcp/scopes.hpp"
#include "mcp/session_id.hpp"

namespace mcp {

/// Sizes and times of one transport. All memory is in MqttStorage. A value outside of its range does not compile.
struct MqttLimits {
  /// Stateless requests in progress (jobs and subscriptions/listen). The sum of Limits::jobs and Limits::subscriptions
  /// is always enough. One client may use all but one. RAM: `client_id_size` and 40 bytes for each.
  /// Errors: a request above the limit is cancelled, and its client gets -32600.
  std::size_t calls = 3;

  /// Longest MQTT client identifier of a client in bytes, 23 to 100. RAM: this number for each session and call.
  /// Errors: a client with a longer identifier gets the error -32600.
  std::size_t client_id_size = 40;

  /// Longest topic and properties of a received message, in bytes, 128 to 65535. RAM: this number. Errors: a message
  /// with a longer topic and properties is not read, and the broker gets the reason 0x97. Other packets may be longer,
  /// because the device drops unneeded strings while it reads them.
  std::size_t head_size = 320;

  /// Longest sent packet without its payload, in bytes, 160 to 65535. RAM: this number. It must hold `client_id_size`,
  /// the server id twice, the server name, and 105 bytes. The first poll() asserts this.
  std::size_t out_size = 288;

  /// Packets that the broker has not acknowledged at the same time, 2 to 64. RAM: 4 bytes for each. Further messages
  /// wait.
  std::size_t in_flight = 8;

  /// Ids of requests that are remembered for each session, and for the stateless requests of all clients together, 1 to
  /// 64. A broker and a client may deliver a message with QoS 1 twice. A request with a remembered id is not executed
  /// again. The id of a session request is remembered until the session ends, the id of a stateless request for 10
  /// minutes. Set it to more than the stateless requests of all clients that arrive during a reconnection. RAM: 8 bytes
  /// for each.
  std::size_t remembered = 4;

  /// Time in milliseconds without a message from a client, after which its session may end for a new session if all are
  /// in use. Limits::session_idle_ms must have passed, too.
  Millis silent_ms = 600'000;

  /// Time in milliseconds for a connection, its TLS handshake, CONNACK and the acknowledgement of the presence message.
  /// After this time, the transport tries the next broker. It is also the time limit for the steps of stop().
  Millis connect_timeout_ms = 20'000;

  /// Longest time before the first retry in milliseconds, 100 or more. The time doubles with each failure. The actual
  /// time is random, from 100 ms to this time, so that devices do not reconnect to a restarted broker at the same time.
  Millis min_retry_ms = 1'000;
  /// The limit of the retry time in milliseconds, at most an hour.
  Millis max_retry_ms = 120'000;
  /// Time online in milliseconds after which a connection resets the retry time.
  Millis stable_ms = 60'000;
};

/// @cond storage
namespace mqtt {

/// The client of a session, or of a stateless request in progress.
struct Peer {
  enum class Use : std::uint8_t { none, session, call, ended };
  SessionId session;
  std::uint64_t principal = 0;
  std::uint64_t request = 0;  // the hash of the request id of the call or of initialize
  Millis heard_ms = 0;        // the time of its last message
  Scopes scopes = {};         // of its last message
  Use use = Use::none;
  std::uint8_t name_size = 0;
  std::uint8_t subscribed = 0;    // filters for which SUBSCRIBE was sent, one bit for each
  std::uint8_t wanted = 0;        // filters for which SUBSCRIBE must be sent, one bit for each
  bool says_end = false;          // the client does not know that its session has ended
};

struct MqttStorageView {
  std::span<Peer> peers;  // peers of sessions come first
  std::size_t session_peers;
  std::span<char> names;
  std::span<std::uint64_t> requests;
  std::span<char> head;
  std::span<char> out;
  std::span<Flight> flights;
  MqttLimits limits;
};
/// The former name of MqttStorageView.
using StorageView [[deprecated("use MqttStorageView")]] = MqttStorageView;

}  // namespace mqtt
/// @endcond

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
