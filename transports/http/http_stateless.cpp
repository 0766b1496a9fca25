// SPDX-License-Identifier: Apache-2.0
// Stateless requests, and the request metadata headers that the server compares with their bodies.
// Source: basic/transports/streamable-http#standard-request-headers, 2026-07-28.
#include <cstring>
#include <optional>

#include "http/http_hooks.hpp"
#include "mcp/detail/link.hpp"
#include "mcp/http/request_head.hpp"
#include "mcp/transport_info.hpp"

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

}  // namespace

constinit const StatelessOps stateless_ops{metadata_of, open_shared_session, join_shared_session};

}  // namespace mcp::http
