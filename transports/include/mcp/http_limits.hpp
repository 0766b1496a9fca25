// SPDX-License-Identifier: Apache-2.0
/// @file
/// The sizes and times of an HTTP endpoint.
/// @code
/// constexpr mcp::HttpLimits http_limits{.connections = 8,
///                                       .request_timeout_ms = 5'000,  // a slower request gets 408
///                                       .evict_idle_after_ms = 6'000};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>

#include "mcp/port.hpp"
#include "mcp/server_shape.hpp"

namespace mcp {

/// Sizes and times of one HTTP endpoint. All memory is in HttpStorage. A value outside its range does not compile.
struct HttpLimits {
  /// Connections that are open at the same time, 1 to 254. RAM: about 600 bytes, `head_size` and Limits::transmit_size
  /// for each. When all are in use, a new client waits in the network stack until a connection ends or is closed for
  /// the client (`evict_idle_after_ms`, `grace_ms`). Streams that cannot be resumed (subscriptions/listen, HTTP+SSE,
  /// all streams without `resumable`) never take the last connection. The server rejects one more with 503. With 1
  /// connection, it serves no such stream. A stateless call keeps its connection until it ends, so choose more
  /// connections than Limits::jobs and Limits::subscriptions together.
  std::size_t connections = 4;

  /// Largest head of a request in bytes, 128 to 65535, without fields that no code reads, such as the cookies of a
  /// browser. These fields may have up to 16,320 bytes more. RAM: this size for each connection. Errors: a larger head
  /// gets 431, or 414 if its target has not ended.
  std::size_t head_size = 1024;

  /// Bytes of a token (`Authorization: Bearer TOKEN`) in addition to `head_size`, such as 2048 for signed tokens, at
  /// most Limits::transmit_size. RAM: none, because the end of a long token is received into the transmit buffer.
  /// Errors: a longer token gets 431. With 0, the token is a part of `head_size`, and the code is not linked.
  std::uint16_t token_size = 0;

  /// Calls of sessions that continue after their client has lost its connection, at most 65,000. RAM: 20 bytes each.
  /// When all records are in use, the owner (TransportInfo::owner) with the most records loses its oldest call. A call
  /// without a record is cancelled. With 0, each call is cancelled with its connection. A modern server has no detached
  /// calls.
  std::size_t detached = connections;

  /// Clients may resume a stream (Last-Event-ID) while its call or session runs. If false, the client loses the
  /// messages of a lost stream, and the code is not linked. Stateless clients never resume a stream.
  bool resumable = true;

  /// Ring of events that clients may have missed, in bytes, at most 65535. RAM: this size. An event takes its JSON and
  /// 20 bytes. The oldest events are dropped, and a client that resumes reads their number in a comment. 0 keeps no
  /// events. Needs `resumable`.
  std::size_t replay_size = 0;

  /// Time from the first to the last byte of a request, in milliseconds. Errors: a slower request gets 408. After a
  /// rejected request, the server reads and drops input for the same time, so that the client can read the response.
  Millis request_timeout_ms = 10'000;

  /// Time in milliseconds after which a connection is closed that has no request or takes no byte.
  Millis idle_timeout_ms = 60'000;

  /// Time in milliseconds without output, after which an open stream sends a comment (`:`), 1 to 2^31 - 1. It applies
  /// to the streams of calls, sessions, subscriptions/listen, and HTTP+SSE after `initialize`. Proxies close a silent
  /// stream after 20 to 60 s. A comment also detects that a client has vanished: TCP stops retrying the comment, or the
  /// client takes no byte for `idle_timeout_ms`. Without comments, the stream of a vanished client would keep its
  /// session forever, so they cannot be disabled. A comment wakes a sleeping device once. Limits: no comment is sent
  /// within an event, such as between two parts of a long body.
  Millis comment_interval_ms = 15'000;

  /// Time in milliseconds after which a connection is closed for a waiting client while all are in use. The order is:
  /// - a connection whose long message waits for the receive buffer
  /// - the longest-idle connection
  /// - the oldest standalone stream; its client reads `retry` with this time and resumes the stream
  /// - the oldest stream of a call of revision 2025-11-25, if `replay_size` and `detached` let the call continue
  ///
  /// A connection that is older than this time is closed after its next response, which has `Connection: close`. So is
  /// a connection of a client (Connection::peer) with several connections. A request that arrives during the close is
  /// not read. The client sends it again. To prevent this, choose a time longer than the idle timeout of the clients (4
  /// s in Node.js, 5 s in Python's httpx). A new client may then wait for this time. Source: RFC 9112 section 9.5.
  Millis evict_idle_after_ms = 1'000;

  /// The minimum rate in bytes per second at which a client must send a request and read a response, at least 1. It
  /// applies while another client waits for a connection or for the receive buffer. Without a waiting client, only
  /// `request_timeout_ms` and `idle_timeout_ms` apply.
  std::uint32_t min_rate = 1'000;

  /// Time in milliseconds that a client may be slower than `min_rate` before its connection is closed for a waiting
  /// client. A new connection has this time for its first byte. Each client that is closed for this reason halves this
  /// time and `evict_idle_after_ms`, at most five times, until no client waits. So 40 stalled clients are closed within
  /// 3 * `grace_ms`. Clients with one connection (Connection::peer) have a separate count, so that a client with many
  /// connections does not shorten the time of others. Time in which the main loop was busy does not count.
  Millis grace_ms = 200;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
