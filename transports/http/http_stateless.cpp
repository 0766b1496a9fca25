// SPDX-License-Identifier: Apache-2.0
// Stateless requests, and the request metadata headers that the server compares with their bodies.
// Source: basic/transports/streamable-http#standard-request-headers, 2026-07-28.
#include <cstring>
#include <optional>

#include "http/http_hooks.hpp"
#include "mcp/http/request_head.hpp"
#include "mcp/transport.hpp"

namespace mcp::http {
namespace {

std::optional<std::string_view> find_param(const void* context, std::string_view token) {
  constexpr std::string_view prefix = "Mcp-Param-";
  char full[prefix.size() + 64];
  if (token.size() > sizeof full - prefix.size()) return {};
  std::memcpy(full, prefix.data(), prefix.size());
  std::memcpy(full + prefix.size(), token.data(), token.size());
  const RequestHead::Match match = static_cast<const RequestHead*>(context)->find({full, prefix.size() + token.size()});
  if (match.count != 1) return {};
  return match.value;
}

TransportInfo metadata_of(const Exchange& exchange) {
  const RequestHead& head = exchange.head;
  TransportInfo info(exchange.principal, exchange.connection->peer(), find_param, &head, protocol::header_validation);
  if (head.has(Header::mcp_protocol_version)) info.version = head.value(Header::mcp_protocol_version);
  if (head.has(Header::mcp_method)) info.method = head.value(Header::mcp_method);
  if (head.has(Header::mcp_name)) info.name = head.value(Header::mcp_name);
  return info;
}

void open_shared_session(Endpoint& endpoint) {
  const Server& server = *endpoint.server;
  if (is_none(endpoint.shared_session) && server.has_stateless())
    endpoint.shared_session = server.open_shared(endpoint.now);
}

bool join_shared_session(Endpoint& endpoint, Exchange& exchange) {
  const Server& server = *endpoint.server;
  if (!server.has_stateless()) return false;
  const bool has_version = exchange.head.has(Header::mcp_protocol_version);
  if (has_version ? server.is_of_sessions(exchange.head.value(Header::mcp_protocol_version)) : server.has_sessions())
    return false;
  exchange.stream.session = endpoint.shared_session;
  return true;
}

// An event of this stream has no id, so the bytes between two messages are a constant. An error with an HTTP error
// status is not a stream.
bool frame_logs(Exchange& exchange, Reply& reply) {
  constexpr std::string_view between = "\n\ndata: ";
  static_assert(between.size() == Reply::gap);
  const bool is_sent = reply.error == Reply::Error::none && exchange.head.accepts_events();
  char* response = exchange.json;
  const char* const end = exchange.json + reply.size;
  while (void* const found = std::memchr(response, '\n', static_cast<std::size_t>(end - response))) {
    response = static_cast<char*>(found) + 1;
    if (is_sent) std::memcpy(response - between.size(), between.data(), between.size());
  }
  if (is_sent) return true;
  reply.size = static_cast<std::size_t>(end - response);
  std::memmove(exchange.json, response, reply.size);
  return false;
}

}  // namespace

constinit const HttpStatelessOps stateless_ops{metadata_of, open_shared_session, join_shared_session, nullptr};
constinit const HttpStatelessOps logged_stateless_ops{metadata_of, open_shared_session, join_shared_session,
                                                      frame_logs};

}  // namespace mcp::http
