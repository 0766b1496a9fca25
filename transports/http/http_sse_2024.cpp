// SPDX-License-Identifier: Apache-2.0
#include "mcp/http_sse_2024.hpp"

#include <cstring>

#include "http/connection.hpp"
#include "http/event_stream.hpp"
#include "http/eviction.hpp"
#include "http/http_hooks.hpp"
#include "http/http_request.hpp"
#include "http/http_sessions.hpp"
#include "mcp/assert.hpp"

namespace mcp::http {
namespace {

constexpr std::string_view event_begin = "event: endpoint\ndata: ";
constexpr std::string_view query_begin = "sessionId=";

char* put_text(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

const char* methods_of_path(const HttpOptions& options, std::string_view path) {
  if (path == options.sse_2024->stream_path()) return "GET, OPTIONS";
  return path == options.sse_2024->message_path() ? "POST, OPTIONS" : nullptr;
}

std::string_view session_id_in(const RequestHead& head) {
  const std::string_view query = head.query();
  if (!query.starts_with(query_begin)) return {};
  return {query.data() + query_begin.size(), query.size() - query_begin.size()};  // substr() would link its exception
}

// Opens a session and its stream. The first event names the path and query for messages.
RequestError open_session(Endpoint& endpoint, Exchange& exchange) {
  if (!exchange.head.accepts_events()) return RequestError::accept_events;
  if (!has_connection_for_stream(endpoint, {})) return RequestError::streams;
  std::uint8_t id[session_id_size];
  if (!endpoint.entropy->fill(id)) return RequestError::randomness;
  const TransportInfo info = info_of(endpoint, exchange);
  const SessionId session = endpoint.server->open(endpoint.now, &info);
  if (is_none(session)) return RequestError::slot;
  store_session(endpoint, exchange, session, id);
  exchange.closes = true;

  const std::string_view hex = endpoint.storage.sessions[session.index].id_text();
  const std::string_view path = endpoint.options->sse_2024->message_path();
  MCP_ASSERT(endpoint.transmit_size() >= event_begin.size() + path.size() + 1 + query_begin.size() + hex.size() + 2);
  char* end = put_text(put_text(exchange.json, event_begin), path);
  *end++ = '?';
  end = put_text(put_text(end, query_begin), hex);
  begin_stream(endpoint, exchange, ExchangeEvent::standalone_begun, end_event(end));
  return RequestError::none;
}

// Expects a message for a session whose stream is open.
RequestError expect_message(Endpoint& endpoint, Exchange& exchange) {
  if (const RequestError error = match_session(endpoint, exchange); error != RequestError::none) return error;
  if (const RequestError error = check_content(exchange.head); error != RequestError::none) return error;
  expect_body(endpoint, exchange);
  return RequestError::none;
}

RequestError handle_sse_head(Endpoint& endpoint, Exchange& exchange) {
  const bool streams = exchange.head.path() == endpoint.options->sse_2024->stream_path();
  if (exchange.head.method() != (streams ? Method::get : Method::post)) return RequestError::method;
  return streams ? open_session(endpoint, exchange) : expect_message(endpoint, exchange);
}

}  // namespace

constinit const SseOps sse_ops{methods_of_path, session_id_in, handle_sse_head};

}  // namespace mcp::http
