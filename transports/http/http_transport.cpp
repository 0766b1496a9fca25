// SPDX-License-Identifier: Apache-2.0
// The main loop of an endpoint.
#include "mcp/http_transport.hpp"

#include <algorithm>

#include "http/connection.hpp"
#include "http/eviction.hpp"
#include "http/http_hooks.hpp"
#include "http/http_sessions.hpp"
#include "mcp/assert.hpp"

namespace mcp {
namespace {

// Rounds of one poll, so that the rest of the main loop can run.
constexpr unsigned rounds = 16;
// Steps of one exchange in a round: its head, its buffer, its body, its response, and the next head. A head and a body
// that arrive together are one step.
constexpr unsigned steps = 5;
// Time between two polls while a stream takes no byte and there is no other work.
constexpr Millis blocked_poll_ms = 10;

// Does the usual steps of a request at once, so that the other exchanges are not checked after each of them.
void serve(http::Endpoint& endpoint, http::Exchange& exchange, bool& moved, bool& is_busy) {
  unsigned left = steps;
  while (!http::is_quiet(exchange)) {
    const bool has_moved = left-- != 0 && http::serve_exchange(endpoint, exchange);
    // After a step of one exchange, a waiting exchange or, with a free exchange, a waiting client may continue.
    if (!has_moved || exchange.state == http::ExchangeState::free) is_busy = true;
    if (!has_moved) return;
    moved = true;
  }
}

// Serves the exchanges with input or work. The flag of each other exchange stays false until its port sets it.
void serve_ready(http::Endpoint& endpoint, bool& moved, bool& is_busy) {
  const http::HttpStorageView& storage = endpoint.storage;
  for (std::size_t i = 0; i != storage.connections; ++i) {
    if (!storage.ready[i]) continue;
    serve(endpoint, storage.exchanges[i], moved, is_busy);
    storage.ready[i] = !http::is_quiet(storage.exchanges[i]);
  }
}

// Returns the time until the first exchange reaches its time limit. Sets `sending` if an exchange sends.
Millis check_times(http::Endpoint& endpoint, bool& sending) {
  const http::HttpStorageView& storage = endpoint.storage;
  const Millis now = endpoint.now;
  Millis due = forever;
  unsigned checked = 0;
  // All idle connections have one time limit, so a connection that became idle after the last check of all has more
  // time left. After a long time without a poll, or at the start, `quiet_until` is outside of this time.
  const bool looks_at_all = endpoint.quiet_until - now - 1 >= storage.idle_timeout_ms;
  if (looks_at_all) endpoint.quiet_until = now + storage.idle_timeout_ms;
  for (std::size_t i = 0; i != storage.connections; ++i) {
    if (!storage.ready[i] && !looks_at_all) continue;
    http::Exchange& exchange = storage.exchanges[i];
    if (exchange.state == http::ExchangeState::free) continue;
    ++checked;
    const bool is_idle = exchange.state <= http::ExchangeState::idle;
    const Millis left = http::check_time(endpoint, exchange);
    if (is_idle) endpoint.quiet_until = std::min(left, endpoint.quiet_until - now) + now;
    due = std::min(due, left);  // also while other clients are busy
    sending = sending || http::is_sending(exchange);
  }
  return checked == endpoint.used ? due : std::min(due, endpoint.quiet_until - now);
}

}  // namespace

bool HttpTransport::has_work() const {
  using State = http::ExchangeState;
  const http::HttpStorageView& storage = endpoint_.storage;
  for (std::size_t i = 0; i != storage.connections; ++i) {
    const http::Exchange& exchange = storage.exchanges[i];
    const bool is_received = exchange.state >= State::head && exchange.state <= State::body;
    if (is_received || http::is_sending(exchange)) return true;
  }
  return false;
}

Millis HttpTransport::poll(Millis now) {
  http::Endpoint& endpoint = endpoint_;
  const Server& server = *endpoint.server;
  http::begin_poll(endpoint, now);
  // An authorizer that an application sets later would not be called.
  MCP_ASSERT(endpoint.links.access == endpoint.options->authorizer.ops());
  // The HttpStorage must be for the Storage of this server. A stored event that is longer than a buffer would overflow
  // it.
  MCP_ASSERT(endpoint.transmit_size() == server.transmit_buffer().size());
  // The listener must report a waiting client while all connections are in use. Otherwise idle clients would lock it
  // out.
  MCP_ASSERT(endpoint.listener->capacity() >= endpoint.storage.connections);
  MCP_ASSERT(endpoint.links.scopes != nullptr || !server.has_scopes());
  MCP_ASSERT(endpoint.links.stateless != nullptr || !server.has_stateless());
  if (endpoint.links.stateless != nullptr) endpoint.links.stateless->open(endpoint);
  server.advance_tasks(now);
  http::forget_ended_sessions(endpoint);
  bool moved = true;
  for (unsigned i = 0; moved && i < rounds; ++i) {
    moved = false;
    bool is_busy = false;
    http::accept_connections(endpoint);
    serve_ready(endpoint, moved, is_busy);
    if (endpoint.detached != 0 && endpoint.links.detached->run(endpoint)) moved = is_busy = true;
    moved = moved && is_busy;
  }
  bool sending = false;
  Millis due = check_times(endpoint, sending);
  due = std::min({due, http::evict(endpoint), http::free_buffer(endpoint)});
  if (moved) due = 0;
  if (due != 0) {
    // Work may be due for a stream that takes no byte now, and would stay due until the stream takes bytes. The time is
    // 0 if an interrupt has marked a change, which the next poll sends.
    const Millis work_ms = server.poll(now);
    due = std::min(due, sending ? std::max(work_ms, blocked_poll_ms) : work_ms);
  }
  endpoint.due_at = now + std::min(due, forever / 2);
  return due;
}

}  // namespace mcp
