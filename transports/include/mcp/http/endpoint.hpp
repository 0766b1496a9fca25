// SPDX-License-Identifier: Apache-2.0
// The state of one HTTP endpoint. The functions of transports/http work on it.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/http/exchange.hpp"
#include "mcp/http/http_link.hpp"
#include "mcp/http_access.hpp"
#include "mcp/memory/record_ring.hpp"
#include "mcp/port.hpp"
#include "mcp/transport.hpp"

namespace mcp::http {

/// Bytes in a transmit buffer before the JSON: the head of a response, or the frame of an event.
inline constexpr std::size_t frame_size = 320;
/// Bytes in a transmit buffer after the JSON.
inline constexpr std::size_t tail_size = 8;

/// The memory and the limits of an endpoint.
struct HttpStorageView {
  Exchanges exchanges;
  std::span<SessionEntry> sessions;
  bool* ready = nullptr;          // for each exchange: false if it is free, or idle without input
  char* buffers = nullptr;        // head_size and then tx_buffer_size for each exchange
  std::uint16_t connections = 0;  // exchanges
  std::uint16_t token_size = 0;   // bytes of a token after the other fields of a head, in the transmit buffer
  std::size_t head_size = 0;
  std::size_t tx_buffer_size = 0;
  std::span<EventStream> detached;
  std::span<char> replay;
  memory::RecordRing::State* replay_state = nullptr;
  Millis request_timeout_ms = 0;
  Millis idle_timeout_ms = 0;
  Millis evict_idle_after_ms = 0;
  Millis comment_interval_ms = 0;
  Millis grace_ms = 0;
  std::uint32_t min_rate = 1;
};

/// The former name of HttpStorageView.
using StorageView [[deprecated("use HttpStorageView")]] = HttpStorageView;

struct Endpoint {
  // Members of frequent use come first, because larger offsets need longer instructions.
  const Server* server;
  Listener* listener;
  Entropy* entropy;
  const HttpOptions* options;
  HttpLinks links;
  Millis now = 0;                    // of the last poll
  SessionId shared_session = {};     // of all stateless requests
  Exchange* buffer_owner = nullptr;  // the exchange whose body is received into the receive buffer of the server
  HttpStorageView storage;
  std::uint32_t streams = 0;    // number of streams that have begun
  std::uint32_t ended = 0;      // Server::ended_sessions() of the last poll
  Millis due_at = 0;            // when the next poll is due
  Millis quiet_until = 0;       // before this time, no idle connection has used up its time
  std::uint8_t stalls[2] = {};  // clients closed for others: with several connections, and with one
  std::uint16_t used = 0;       // exchanges with a connection, and orphaned ones
  std::uint16_t detached = 0;   // streams of calls without a connection

  [[nodiscard]] std::size_t transmit_size() const { return storage.tx_buffer_size - frame_size - tail_size; }
  [[nodiscard]] std::span<char> transmit_buffer(const Exchange& exchange) const {
    return {exchange.json, transmit_size()};
  }
  [[nodiscard]] memory::RecordRing ring() const { return {storage.replay, *storage.replay_state}; }
  /// True for a request outside of sessions. Its events have no ids, it cannot be resumed, and the end of its
  /// connection cancels it.
  [[nodiscard]] bool is_stateless(const Exchange& exchange) const {
    return is_same(exchange.stream.session, shared_session);
  }
};

}  // namespace mcp::http

#include <mcp/detail/epilogue.hpp>
