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
  /// Calls the Authorizer. False after it has rejected the request.
  bool (*check)(Endpoint& endpoint, Exchange& exchange);
  /// True if the Authorizer of an Endpoint reads the field with this name.
  RequestHeadReader::Reads reads;
  /// Sends the public document of this path. False if there is none.
  bool (*send_document)(Endpoint& endpoint, Exchange& exchange);
  /// Writes the challenge before `at`, with space for the status line before it. Returns its begin; nullptr without
  /// enough space.
  char* (*challenge)(const Endpoint& endpoint, const Exchange& exchange, char* at);
  /// Writes the error of a request that the Authorizer has rejected. Returns its size.
  std::size_t (*write_error)(std::span<char> transmit_buffer, const char* text);
};

struct DetachedOps {
  /// Moves the stream of the exchange to a record. False if all records are in use: the call must be cancelled.
  bool (*keep)(Endpoint& endpoint, Exchange& exchange);
  /// Stores the output of all such calls. True if there was any.
  bool (*run)(Endpoint& endpoint);
};

struct MetricsOps {
  /// Serves a request for the figures. False for another path.
  bool (*serve)(Endpoint& endpoint, Exchange& exchange);
  /// Sends the next part of the figures. False if this response has no further part.
  bool (*send_next)(Endpoint& endpoint, Exchange& exchange);
  /// A response begins with the bytes in `exchange.out`.
  void (*responded)(const Endpoint& endpoint, const Exchange& exchange);
  /// A connection was accepted.
  void (*accepted)(const Endpoint& endpoint);
  /// A connection is closed for a waiting client.
  void (*evicted)(const Endpoint& endpoint);
};

struct PageOps {
  /// Sends the first part of the page, or an error. False for another path.
  bool (*serve)(Endpoint& endpoint, Exchange& exchange);
  /// Sends the part after it. False if there is none.
  bool (*send_rest)(Endpoint& endpoint, Exchange& exchange);
  /// True if the page or the Authorizer of an Endpoint reads the field with this name.
  RequestHeadReader::Reads reads;
};

struct ReplayOps {
  /// Stores the next event of a stream. An empty event is stored by its name.
  void (*keep)(Endpoint& endpoint, const EventStream& stream, std::string_view json);
  /// Sends the next missed event. After the last one, the stream continues or ends.
  void (*send_next)(Endpoint& endpoint, Exchange& exchange);
  /// Serves a request with Last-Event-ID. False for an unknown stream.
  bool (*resume)(Endpoint& endpoint, Exchange& exchange);
  /// Ends the connection if the job of the call has called reconnect(). True if it did.
  bool (*reconnect)(Endpoint& endpoint, Exchange& exchange);
  /// Ends the connection of an idle stream. Its client resumes it after `retry_ms`. False if the call cannot continue
  /// without a connection.
  bool (*end)(Endpoint& endpoint, Exchange& exchange, Millis retry_ms);
  /// Removes the events of a session that has ended.
  void (*forget)(Endpoint& endpoint, SessionId session);
};

struct ScopeOps {
  /// Reads the scopes of a grant. Rejects a request for a stream if its session has used others.
  void (*take)(Endpoint& endpoint, Exchange& exchange, Grant& grant);
  /// Sends the error of the server with 403 and a challenge that names the scope. False in a session, unless clients
  /// get tokens by OAuth: the error is a response as any other, because more clients show it so.
  bool (*refuse)(Endpoint& endpoint, Exchange& exchange, const Reply& reply);
  /// Adds the missing scope to a challenge.
  void (*name)(const Endpoint& endpoint, const Exchange& exchange, std::span<char> memory, ResponseHead& challenge);
};

struct SseOps {
  /// The methods of a path, for Allow; nullptr for the path of another endpoint.
  const char* (*methods)(const HttpOptions& options, std::string_view path);
  /// The session id in a request, a view into its head. Empty without one.
  std::string_view (*session_id)(const RequestHead& head);
  /// Serves the head of a request for such a path, after Host, Origin and authorization were checked.
  RequestError (*take_head)(Endpoint& endpoint, Exchange& exchange);
};

struct StatelessOps {
  /// The sender and the request metadata headers of a message.
  TransportInfo (*info)(const Exchange& exchange);
  /// Opens the session that stateless requests share, if the server supports them and it is not open.
  void (*open)(Endpoint& endpoint);
  /// Puts a POST into that session, unless its headers are of a request of a session. The server compares them with the
  /// body. False if the POST belongs to a session.
  bool (*join)(Endpoint& endpoint, Exchange& exchange);
  /// Makes events of the log messages before a response. False if the client takes no events, or if the response is an
  /// error with a status of its own: then the response is alone in the transmit buffer. nullptr without log messages.
  bool (*take_logs)(Exchange& exchange, Reply& reply);
};

struct TokenOps {
  /// Returns the bytes that a head may have: the buffer for heads, and the token that has arrived so far.
  std::size_t (*space)(const Endpoint& endpoint, const Exchange& exchange);
  /// Moves the token of a complete head behind all other received bytes, which then fit into the buffer for heads. The
  /// token is valid until the transmit buffer is used.
  void (*set_apart)(const Endpoint& endpoint, Exchange& exchange);
};

}  // namespace mcp::http
