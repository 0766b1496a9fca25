// SPDX-License-Identifier: Apache-2.0
// The hooks of optional code (mcp/http/http_link.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/http/endpoint.hpp"
#include "mcp/http/exchange.hpp"
#include "mcp/http_access.hpp"

namespace mcp {
class TransportInfo;
}

namespace mcp::http {

enum class RequestError : std::uint8_t;

struct AccessOps {
  /// Calls the Authorizer. Returns false if it has rejected the request.
  bool (*check)(Endpoint& endpoint, Exchange& exchange);
  /// True if the Authorizer of an Endpoint reads the field with this name.
  RequestHeadReader::Reads reads;
  /// Sends the public document of this path. Returns false if there is none.
  bool (*send_document)(Endpoint& endpoint, Exchange& exchange);
  /// Writes the challenge before `at`, with space for the status line before it. Returns its begin; nullptr without
  /// enough space.
  char* (*challenge)(const Endpoint& endpoint, const Exchange& exchange, char* at);
  /// Writes the error of a request that the Authorizer has rejected. Returns its size.
  std::size_t (*write_error)(std::span<char> transmit_buffer, const char* text);
};

struct DetachedOps {
  /// Moves the stream of the exchange to a record. Returns false if all records are in use. The caller must then cancel
  /// the call.
  bool (*detach)(Endpoint& endpoint, Exchange& exchange);
  /// Stores the output of all detached calls. Returns true if there was any.
  bool (*run)(Endpoint& endpoint);
};

struct MetricsOps {
  /// Serves a request for the figures. Returns false for another path.
  bool (*serve)(Endpoint& endpoint, Exchange& exchange);
  /// Sends the next part of the figures. Returns false if this response has no further part.
  bool (*send_next)(Endpoint& endpoint, Exchange& exchange);
  /// Counts a response that begins with the bytes in `exchange.out`.
  void (*responded)(const Endpoint& endpoint, const Exchange& exchange);
  /// Counts an accepted connection.
  void (*accepted)(const Endpoint& endpoint);
  /// Counts a connection that is closed for a waiting client.
  void (*evicted)(const Endpoint& endpoint);
};

struct PageOps {
  /// Sends the first part of the page, or an error. Returns false for another path.
  bool (*serve)(Endpoint& endpoint, Exchange& exchange);
  /// Sends the next part. Returns false if there is none.
  bool (*send_rest)(Endpoint& endpoint, Exchange& exchange);
  /// True if the page or the Authorizer of an Endpoint reads the field with this name.
  RequestHeadReader::Reads reads;
};

struct ReplayOps {
  /// Stores the next event of a stream. An empty event is stored by its name.
  void (*store)(Endpoint& endpoint, const EventStream& stream, std::string_view json);
  /// Sends the next missed event. After the last one, the stream continues or ends.
  void (*send_next)(Endpoint& endpoint, Exchange& exchange);
  /// Serves a request with Last-Event-ID. Returns false for an unknown stream.
  bool (*resume)(Endpoint& endpoint, Exchange& exchange);
  /// Ends the connection if the job of the call has called reconnect(). Returns true if it has ended the connection.
  bool (*reconnect)(Endpoint& endpoint, Exchange& exchange);
  /// Ends the connection of an idle stream. The client resumes the stream after `retry_ms`. Returns false if the call
  /// cannot continue without a connection.
  bool (*end)(Endpoint& endpoint, Exchange& exchange, Millis retry_ms);
  /// Removes the events of a session that has ended.
  void (*forget)(Endpoint& endpoint, SessionId session);
};

struct ScopeOps {
  /// Reads the scopes of a grant. Rejects a request for a stream if its session has used scopes that the grant lacks.
  void (*read_grant)(Endpoint& endpoint, Exchange& exchange, Grant& grant);
  /// Sends the error of the server with 403 and a challenge that names the scope. Returns false in a session, unless
  /// clients get tokens by OAuth. The error is then an ordinary response, because more clients show it.
  bool (*reject_call)(Endpoint& endpoint, Exchange& exchange, const Reply& reply);
  /// Adds the missing scope to a challenge.
  void (*name)(const Endpoint& endpoint, const Exchange& exchange, std::span<char> memory, ResponseHead& challenge);
};

struct SseOps {
  /// The methods of a path, for Allow; nullptr for the path of another endpoint.
  const char* (*methods)(const HttpOptions& options, std::string_view path);
  /// The session id in a request, a view into its head. Empty without one.
  std::string_view (*session_id)(const RequestHead& head);
  /// Serves the head of a request for a path of HTTP+SSE, after the checks of Host, Origin and authorization.
  RequestError (*handle_head)(Endpoint& endpoint, Exchange& exchange);
};

struct HttpStatelessOps {
  /// The sender and the request metadata headers of a message.
  TransportInfo (*info)(const Exchange& exchange);
  /// Opens the session that stateless requests share, if the server supports them and it is not open.
  void (*open)(Endpoint& endpoint);
  /// Puts a POST into the shared session, unless its headers belong to a request of a session. The server compares the
  /// headers with the body. Returns false if the POST belongs to a session.
  bool (*join)(Endpoint& endpoint, Exchange& exchange);
  /// Makes events of the log messages before a response. Returns false if the client takes no events, or if the
  /// response is an error with an HTTP error status. Then only the response is in the transmit buffer. nullptr without
  /// log messages.
  bool (*frame_logs)(Exchange& exchange, Reply& reply);
};

struct TokenOps {
  /// Returns the maximum size of the head: the size of the buffer for heads, and the bytes of the token received so
  /// far.
  std::size_t (*space)(const Endpoint& endpoint, const Exchange& exchange);
  /// Moves the token of a complete head after all other received bytes, which then fit into the buffer for heads. The
  /// token is valid until the transmit buffer is used.
  void (*set_apart)(const Endpoint& endpoint, Exchange& exchange);
};

}  // namespace mcp::http
