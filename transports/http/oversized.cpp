// SPDX-License-Identifier: Apache-2.0
#include "http/oversized.hpp"

#include <cstring>
#include <type_traits>

#include "http/connection.hpp"
#include "http/event_stream.hpp"
#include "http/http_response.hpp"
#include "http/http_sessions.hpp"

namespace mcp::http {
namespace {

// The finder is stored at the end of the transmit buffer.
char* finder_in(const Endpoint& endpoint, const Exchange& exchange) {
  static_assert(std::is_trivially_copyable_v<rpc::IdFinder>);
  return exchange.json + endpoint.transmit_size() - sizeof(rpc::IdFinder);
}

rpc::IdFinder read_finder(const char* stored) {
  rpc::IdFinder finder;
  std::memcpy(&finder, stored, sizeof finder);
  return finder;
}

// The functions with a finder on the stack are not inlined, so that other requests, and reads of TLS, need no stack for
// it.

[[gnu::noinline]] bool has_found_id(const char* stored) {
  const rpc::IdFinder finder = read_finder(stored);
  return finder.is_response() && !finder.id().empty();
}

[[gnu::noinline]] void scan(Exchange& exchange, char* stored, std::size_t size) {
  rpc::IdFinder finder = read_finder(stored);
  exchange.body.pass({exchange.json, size}, finder);
  std::memcpy(stored, &finder, sizeof finder);
}

[[gnu::noinline]] void handle_oversized(Endpoint& endpoint, Exchange& exchange, const char* stored) {
  const rpc::IdFinder response = read_finder(stored);
  exchange.body = {};
  advance(exchange, ExchangeEvent::scanned);
  if (match_session(endpoint, exchange) != RequestError::none || exchange.named != NamedSession::known) return;
  const Reply reply = endpoint.server->receive_oversized(
      exchange.stream.session, response, endpoint.transmit_buffer(exchange), endpoint.now, channel_of(exchange));
  exchange.pending_output = reply.size;
  exchange.pending_channel = exchange.is_http_sse ? only_channel : reply.channel;
}

}  // namespace

[[gnu::noinline]] void reject_oversized(Endpoint& endpoint, Exchange& exchange) {
  const SessionId session = exchange.stream.session;
  rpc::IdFinder finder;
  finder.feed({exchange.body.data(), exchange.body.size()});
  exchange.body.pass({exchange.heads + exchange.consumed, exchange.filled - exchange.consumed}, finder);
  reject(endpoint, exchange, answer_of(ParseError::body_too_large));
  exchange.closes = true;  // also after the whole body, because the buffer for heads has no begin of a request
  exchange.stream.session = session;
  if (exchange.named != NamedSession::known) exchange.body = {};  // no session has an input request for this response
  std::memcpy(finder_in(endpoint, exchange), &finder, sizeof finder);
}

bool drain(Endpoint& endpoint, Exchange& exchange) {
  if (exchange.pending_output != 0) return false;
  char* const stored = finder_in(endpoint, exchange);
  const bool scans = exchange.state != ExchangeState::closing;
  if (scans && has_found_id(stored)) {
    if (!has_space_for_response(endpoint, exchange)) return false;
    handle_oversized(endpoint, exchange, stored);
    return true;
  }
  const std::size_t size = receive(endpoint, exchange, exchange.json, static_cast<std::size_t>(stored - exchange.json));
  if (size == 0) return false;
  if (scans) scan(exchange, stored, size);
  return true;
}

bool has_space_for_response(const Endpoint& endpoint, const Exchange& exchange) {
  if (!exchange.is_http_sse) return true;
  const Exchange* const stream = stream_of(endpoint, exchange.stream.session, only_channel);
  return stream == nullptr || !(stream->stream.in_event || is_sending(*stream));
}

}  // namespace mcp::http
