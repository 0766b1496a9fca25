// SPDX-License-Identifier: Apache-2.0
#include "http/http_sessions.hpp"

#include "http/connection.hpp"
#include "http/event_stream.hpp"
#include "http/http_hooks.hpp"
#include "mcp/assert.hpp"
#include "mcp/json/text.hpp"
#include "mcp/memory/secrets.hpp"

namespace mcp::http {
namespace {

// A connection usually continues with its session, so the search begins there. An unused entry has an id of zero bytes,
// which no head contains.
bool find_session(const Endpoint& endpoint, Exchange& exchange, const std::string_view& wanted) {
  const std::span<SessionEntry> sessions = endpoint.storage.sessions;
  std::size_t index = exchange.last_session;
  for (std::size_t left = sessions.size(); left != 0; --left) {
    const SessionEntry& entry = sessions[index];
    if (json::equal(wanted, entry.id_text()) && entry.is_http_sse == exchange.is_http_sse) {
      // The id without the principal gives no access.
      if (entry.principal != exchange.principal) return false;
      exchange.last_session = static_cast<std::uint16_t>(index);
      exchange.stream.session = entry.session;
      return endpoint.server->is_open(entry.session);
    }
    if (++index == sessions.size()) index = 0;
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
    if (is_same(stream.session, session)) release_record(endpoint, stream);
  }
  if (endpoint.links.replay != nullptr) endpoint.links.replay->forget(endpoint, session);
}

}  // namespace

[[gnu::noinline]] bool is_same(const SessionId& a, const SessionId& b) {
  return a.serial_low == b.serial_low && a.index == b.index && a.serial_high == b.serial_high;
}

RequestError match_session(Endpoint& endpoint, Exchange& exchange) {
  const std::string_view wanted = exchange.is_http_sse ? endpoint.links.sse_2024->session_id(exchange.head)
                                                       : exchange.head.value(Header::mcp_session_id);
  exchange.named = NamedSession::known;
  if (find_session(endpoint, exchange, wanted)) return RequestError::none;
  exchange.named = NamedSession::none;
  // Only the body shows whether a request is stateless, or begins another session.
  if (exchange.is_http_sse || exchange.head.method() != Method::post) return RequestError::session;
  exchange.stream.session = {};
  exchange.named = NamedSession::unknown;
  return RequestError::none;
}

void store_session(Endpoint& endpoint, Exchange& exchange, SessionId session,
                   std::span<const std::uint8_t, session_id_size> id) {
  MCP_ASSERT(session.index < endpoint.storage.sessions.size());  // the storage is for another server
  SessionEntry& entry = endpoint.storage.sessions[session.index];
  if (!is_none(entry.session)) forget(endpoint, entry);  // the earlier session has ended
  exchange.stream.session = entry.session = session;
  exchange.last_session = session.index;
  memory::write_hex(entry.id, id);
  entry.is_http_sse = exchange.is_http_sse;
  entry.principal = exchange.principal;
  entry.owner = info_of(endpoint, exchange).owner();
  endpoint.server->set_listening(session, false);
}

void forget_ended_sessions(Endpoint& endpoint) {
  const std::uint32_t ended = endpoint.server->ended_sessions();
  if (endpoint.ended == ended) return;
  endpoint.ended = ended;
  for (SessionEntry& entry : endpoint.storage.sessions) {
    if (!is_none(entry.session) && !endpoint.server->is_open(entry.session)) forget(endpoint, entry);
  }
}

TransportInfo info_of(const Endpoint& endpoint, const Exchange& exchange) {
  TransportInfo info = endpoint.links.stateless != nullptr
                           ? endpoint.links.stateless->info(exchange)
                           : TransportInfo(exchange.principal, exchange.connection->peer());
  info.only_principal = exchange.only_principal;
  info.only_response = is_for_response_only(exchange);
  if (endpoint.links.scopes != nullptr) info.scopes = Scopes(~exchange.out_of_scope);
  return info;
}

}  // namespace mcp::http
