// SPDX-License-Identifier: Apache-2.0
#include "http/http_sessions.hpp"

#include "http/connection.hpp"
#include "http/http_hooks.hpp"
#include "mcp/assert.hpp"
#include "mcp/memory/secrets.hpp"

namespace mcp::http {
namespace {

bool find_session(const Endpoint& endpoint, Exchange& exchange, std::string_view wanted) {
  for (const SessionEntry& entry : endpoint.storage.sessions) {
    if (is_none(entry.session) || entry.is_http_sse != exchange.is_http_sse || !memory::is_hex_of(wanted, entry.id))
      continue;
    // The id alone gives no access.
    if (entry.principal != exchange.principal) return false;
    exchange.stream.session = entry.session;
    return endpoint.server->is_open(entry.session);
  }
  return false;
}

// Clears all references to the session, and its pending output.
void forget(Endpoint& endpoint, SessionEntry& entry) {
  const SessionId session = entry.session;
  entry = {};
  for (Exchange& exchange : endpoint.storage.exchanges) {
    if (!is_same(exchange.stream.session, session)) continue;
    exchange.stream.session = {};
    exchange.pending_output = 0;
    if (is_stream(exchange.state)) advance(exchange, ExchangeEvent::stream_closed);
  }
  for (EventStream& stream : endpoint.storage.detached) {
    if (is_same(stream.session, session)) stream.release();
  }
  if (endpoint.links.replay != nullptr) endpoint.links.replay->forget(endpoint, session);
}

}  // namespace

[[gnu::noinline]] bool is_same(const SessionId& a, const SessionId& b) {
  return a.serial_low == b.serial_low && a.index == b.index && a.serial_high == b.serial_high;
}

std::string_view hex_of(const SessionEntry& entry, char (&text)[id_chars]) {
  memory::write_hex(text, entry.id);
  return {text, sizeof text};
}

RequestError match_session(Endpoint& endpoint, Exchange& exchange) {
  const std::string_view wanted = exchange.is_http_sse ? endpoint.links.sse_2024->session_id(exchange.head)
                                                       : exchange.head.value(Header::mcp_session_id);
  exchange.named = NamedSession::known;
  if (find_session(endpoint, exchange, wanted)) return RequestError::none;
  exchange.named = NamedSession::none;
  // Only the body shows whether a request is stateless.
  if (exchange.is_http_sse || exchange.head.method() != Method::post || !endpoint.server->has_stateless())
    return RequestError::session;
  exchange.stream.session = endpoint.shared_session;
  exchange.named = NamedSession::unknown;
  return RequestError::none;
}

void keep_session(Endpoint& endpoint, Exchange& exchange, SessionId session, SessionEntry entry) {
  MCP_ASSERT(session.index < endpoint.storage.sessions.size());  // the storage is for another server
  SessionEntry& place = endpoint.storage.sessions[session.index];
  if (!is_none(place.session)) forget(endpoint, place);  // it has ended
  exchange.stream.session = entry.session = session;
  entry.principal = exchange.principal;
  entry.owner = info_of(endpoint, exchange).owner();
  place = entry;
  endpoint.server->set_listening(session, false);
}

void forget_ended_sessions(Endpoint& endpoint) {
  for (SessionEntry& entry : endpoint.storage.sessions) {
    if (!is_none(entry.session) && !endpoint.server->is_open(entry.session)) forget(endpoint, entry);
  }
}

TransportInfo info_of(const Endpoint& endpoint, const Exchange& exchange) {
  TransportInfo info = endpoint.links.stateless != nullptr
                           ? endpoint.links.stateless->info(exchange)
                           : TransportInfo(exchange.principal, exchange.connection->peer());
  info.only_principal = exchange.only_principal;
  if (endpoint.links.scopes != nullptr) info.scopes = Scopes(~exchange.out_of_scope);
  return info;
}

}  // namespace mcp::http
