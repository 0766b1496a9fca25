// SPDX-License-Identifier: Apache-2.0
// The state of each connection, stream and session of an endpoint.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/http/exchange_state.hpp"
#include "mcp/http/request_body.hpp"
#include "mcp/http/request_head.hpp"
#include "mcp/http_access.hpp"
#include "mcp/port.hpp"
#include "mcp/transport.hpp"

namespace mcp::http {

/// One function for all comparisons, because the inlined operator of SessionId takes 360 bytes more.
[[nodiscard]] bool is_same(const SessionId& a, const SessionId& b);
[[nodiscard]] inline bool is_none(const SessionId& session) {
  return session.serial_low == 0 && session.serial_high == 0 && session.index == 0;
}

/// The events of one call or session. The stream of a call may outlive its connection.
struct EventStream {
  SessionId session = {};    // the session of the stream; before it begins, the session of the request
  std::uint32_t number = 0;  // part of the ids of its events; 0: not begun, or without ids
  std::uint32_t event = 0;   // number of its next event
  Channel channel = 0;       // of its call; unique, and kept by a free stream
  bool in_event = false;     // the last part of a message is still to come

  /// Sets all members but the channel to zero.
  void release() { *this = {.channel = channel}; }
};

/// The session that the header MCP-Session-Id or the query of HTTP+SSE names. The transport compares it again before it
/// handles the message.
enum class NamedSession : std::uint8_t { none, known, unknown };

/// The parts of the page that follow the status line.
enum class PagePart : std::uint8_t { none, fields, fields_of_copy, all };

/// The part of an exchange that lives as long as the connection.
struct ExchangeConnection {
  ExchangeState state = ExchangeState::free;
  bool is_client_gone = false;       // the connection failed or timed out: the client may have left long before
  std::uint16_t last_session = 0;    // index of the entry of the last request
  Connection* connection = nullptr;  // nullptr if free or orphaned
  char* heads = nullptr;             // its buffer for heads
  char* json = nullptr;              // JSON in its transmit buffer, `frame_size` bytes after the begin
  std::size_t filled = 0;            // bytes in the buffer for heads
  Millis begun_ms = 0;               // the begin of its age: it was accepted, or its last stream began
};

/// The current request and its response, or the end of its stream.
struct ExchangeRequest {
  // Members of frequent use come first, because larger offsets need longer instructions.
  Access access = Access::granted;  // challenge() needs it when the response is written
  bool closes = false;              // the connection ends after the response
  bool is_http_sse = false;         // the path of the request is a path of HTTP+SSE, not HttpOptions::path
  bool only_principal = false;      // Grant::only_principal
  bool is_full = false;             // the reason for a 503 is connections, not sessions
  NamedSession named = NamedSession::none;
  Reply::Error missing = Reply::Error::none;  // the scope that the challenge names
  PagePart page_rest = PagePart::none;        // the part of the page that is still to be sent
  std::span<const char> out;                  // bytes to be sent
  std::size_t consumed = 0;                   // bytes in the buffer for heads that belong to this request
  Millis since_ms = 0;                        // when the request began, or the last byte moved
  Millis paid_ms = 0;                         // until then, the client has kept to HttpLimits::min_rate
  std::size_t pending_output = 0;             // bytes at `json` for another stream of the session
  std::uint64_t principal = 0;                // Grant::principal
  Channel pending_channel = 0;                // of the stream for `pending_output`
  bool is_metrics = false;                    // `sample` and all later samples are still to be sent
  std::uint32_t sample = 0;                   // number of the next sample of the metrics
  std::uint32_t out_of_scope = 0;             // a bit for each scope that the token lacks
};

/// The stream of the request. Without one, `stream` has only the session of the request.
struct ExchangeStream {
  EventStream stream = {};
  std::uint32_t replay = 0;        // number of the next record of the ring
  std::uint32_t replay_event = 0;  // the last event that the client has
  bool may_end = false;            // the client can resume the stream; set when the stream begins
};

/// The head and the body of the request, as they are received.
struct ExchangeInput {
  RequestBody body = {};
  RequestHeadReader reader = {};
  RequestHead head = {};
};

/// One connection and its request, response or stream. clear_request() clears all parts except ExchangeConnection, and
/// release() clears all. They name no member, so none is lost. Both keep the channel of the stream. A free exchange is
/// all zero except its channel.
struct Exchange : ExchangeConnection, ExchangeRequest, ExchangeStream, ExchangeInput {
  using State = ExchangeState;
};

/// All exchanges, as two pointers, because the end of a std::span takes a multiplication in each loop.
class Exchanges {
 public:
  constexpr Exchanges() = default;
  constexpr explicit Exchanges(std::span<Exchange> exchanges)
      : begin_(exchanges.data()), end_(exchanges.data() + exchanges.size()) {}

  [[nodiscard]] constexpr Exchange* begin() const { return begin_; }
  [[nodiscard]] constexpr Exchange* end() const { return end_; }
  [[nodiscard]] constexpr Exchange& operator[](std::size_t index) const { return begin_[index]; }

 private:
  Exchange* begin_ = nullptr;
  Exchange* end_ = nullptr;
};

/// A session of the endpoint.
struct SessionEntry {
  std::uint64_t principal;  // of the client that began it
  SessionId session;
  char id[32];  // hexadecimal digits, as clients send it
  bool is_http_sse;
  std::uint32_t owner;   // TransportInfo::owner of its first request
  std::uint32_t stream;  // number of its last standalone stream
  std::uint32_t event;   // number of the next event of this stream while it has no connection

  [[nodiscard]] std::string_view id_text() const { return {id, sizeof id}; }
};

/// The scopes of a session whose messages had tokens. If a row needs a scope, these objects follow the SessionEntry
/// objects in memory. Other images have neither these objects nor a pointer to them.
struct SessionScopes {
  std::uint32_t serial;  // SessionId::serial_low of the session
  std::uint32_t used;    // a bit for each scope that a message had
};

/// The memory of all sessions of an endpoint.
template <std::size_t count, bool has_scopes>
struct SessionMemory {
  SessionEntry entries[count] = {};
};
template <std::size_t count>
struct SessionMemory<count, true> {
  SessionEntry entries[count] = {};
  SessionScopes scopes[count] = {};
};

/// Random bytes of a session id. Each byte is two characters of the id.
inline constexpr std::size_t session_id_size = sizeof(SessionEntry::id) / 2;
/// The former name of session_id_size.
[[deprecated("use session_id_size")]] inline constexpr std::size_t id_size = session_id_size;

}  // namespace mcp::http

#include <mcp/detail/epilogue.hpp>
