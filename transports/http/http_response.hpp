// SPDX-License-Identifier: Apache-2.0
// Responses that are not streams.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mcp/http/endpoint.hpp"
#include "mcp/http/exchange.hpp"
#include "mcp/http/status.hpp"

namespace mcp::http {

inline constexpr char end_fields[] = "\r\n\r\n";
inline constexpr char closes_field[] = "\r\nConnection: close";
inline constexpr char origin_field[] = "\r\nAccess-Control-Allow-Origin: ";
// Without Access-Control-Allow-Credentials, because no response needs a cookie.
inline constexpr char page_fields[] = "\r\nAccess-Control-Expose-Headers: *\r\nVary: Origin";
/// The longest fields that end_head() writes.
inline constexpr std::size_t common_size =
    sizeof end_fields + sizeof closes_field + sizeof origin_field + max_origin_size + sizeof page_fields - 4;

/// The reason why a complete head is rejected, in the order of the responses in http_response.cpp.
enum class RequestError : std::uint8_t {
  none,
  host,
  origin,
  path,
  method,
  no_sessions,
  streams,
  version,
  session,
  no_session_id,
  media_type,
  content_coding,
  accept_events,
  accept,
  event_id,
  time,
  randomness,
  slot,
};

/// Writes the last fields of each head before `at`. Heads are written from the end to the begin, directly before their
/// content, so that one write sends both.
char* end_head(const Endpoint& endpoint, const Exchange& exchange, char* at);

inline constexpr char session_field[] = "\r\nMCP-Session-Id: ";
/// Writes the id of a session that `initialize` has begun before `at`; nothing for another request.
char* put_session(const Endpoint& endpoint, const Exchange& exchange, char* at);

/// Sends a response with the JSON of this size in the transmit buffer.
void respond(Endpoint& endpoint, Exchange& exchange, Status status, std::size_t size = 0);

/// Returns the methods of the path of the request; nullptr for an unknown path.
[[nodiscard]] const char* methods_of(const Endpoint& endpoint, const Exchange& exchange);

/// Sends a JSON-RPC error without an id, and closes the connection unless the whole request was read. `answer` is a row
/// of a table (http_text.hpp). The id is null if the Authorizer has rejected the request.
void reject(Endpoint& endpoint, Exchange& exchange, const char* answer);
/// Does nothing for `none`.
void reject(Endpoint& endpoint, Exchange& exchange, RequestError error);
/// Rejects input that is not a valid HTTP request.
void reject(Endpoint& endpoint, Exchange& exchange, ParseError error);

}  // namespace mcp::http
