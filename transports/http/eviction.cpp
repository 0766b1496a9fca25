// SPDX-License-Identifier: Apache-2.0
#include "http/eviction.hpp"

#include <algorithm>

#include "http/connection.hpp"
#include "http/http_hooks.hpp"
#include "http/http_response.hpp"

namespace mcp::http {
namespace {

using State = ExchangeState;

// A main loop that is later than due by this time was busy, and served no client.
constexpr Millis busy_ms = 50;

// The maximum number of halvings, because a new client needs time for its first byte, also during a flood.
constexpr std::uint8_t most_stalls = 5;

// True if the client has other connections, or if the port does not know its peer.
bool is_crowding(const Endpoint& endpoint, const Exchange& exchange) {
  const std::uint64_t peer = exchange.connection->peer();
  if (peer == 0) return true;
  for (const Exchange& other : endpoint.storage.exchanges) {
    if (&other != &exchange && other.connection != nullptr && other.connection->peer() == peer) return true;
  }
  return false;
}

// Halves a time for each stalled client.
Millis shortened(const Endpoint& endpoint, Millis ms, const Exchange& exchange) {
  return ms >> endpoint.stalls[is_crowding(endpoint, exchange) ? 0 : 1];
}

void note_stall(Endpoint& endpoint, const Exchange& exchange) {
  std::uint8_t& stalls = endpoint.stalls[is_crowding(endpoint, exchange) ? 0 : 1];
  if (stalls < most_stalls) ++stalls;
}

// True for a body that waits for the receive buffer. A client that takes no `100 Continue` is not ready, and has a time
// limit.
bool waits_for_buffer(const Exchange& exchange) { return exchange.state == State::waiting && !is_sending(exchange); }

// Returns the body that has waited longest.
Exchange* next_for_buffer(const Endpoint& endpoint) {
  Exchange* next = nullptr;
  for (Exchange& exchange : endpoint.storage.exchanges) {
    if (!waits_for_buffer(exchange)) continue;
    if (next == nullptr || endpoint.now - exchange.since_ms > endpoint.now - next->since_ms) next = &exchange;
  }
  return next;
}

bool is_buffer_contended(const Endpoint& endpoint) {
  return endpoint.buffer_owner != nullptr && next_for_buffer(endpoint) != nullptr;
}

bool can_resume(const Endpoint& endpoint, const Exchange& exchange) {
  return exchange.may_end &&
         (is_standalone(exchange.state) || (endpoint.links.detached != nullptr && !endpoint.storage.replay.empty()));
}

// The time that an exchange has used without enough progress, and its limit while a client waits.
struct Patience {
  Millis elapsed;
  Millis limit;
};

Patience patience_with(const Endpoint& endpoint, const Exchange& exchange) {
  constexpr Patience is_served{0, forever};
  const HttpStorageView& storage = endpoint.storage;
  const bool sends = is_sending(exchange);
  switch (exchange.state) {
    case State::idle:
      return {endpoint.now - exchange.since_ms, shortened(endpoint, storage.evict_idle_after_ms, exchange)};
    case State::waiting:
      // The client has sent only a head. Without a limit, such clients would keep all connections.
      if (!sends) return {endpoint.now - exchange.since_ms, storage.evict_idle_after_ms};
      break;
    case State::response:
      if (!sends) return is_served;
      break;
    case State::orphaned: return is_served;
    case State::closing:
      if (exchange.pending_output != 0) return is_served;
      break;
    default:  // no exchange is free when a client waits
      if (sends || !is_stream(exchange.state)) break;
      if (exchange.state != State::call && exchange.state != State::standalone) return is_served;
      if (!can_resume(endpoint, exchange) || exchange.stream.in_event) return is_served;
      return {endpoint.now - exchange.begun_ms, storage.evict_idle_after_ms};
  }
  return {endpoint.now - exchange.paid_ms, shortened(endpoint, storage.grace_ms, exchange)};
}

// True if a client waits and all connections are in use. A client that arrived after the last round, while a connection
// is free, is accepted in the next round.
bool lacks_connection(const Endpoint& endpoint) {
  return endpoint.used == endpoint.storage.connections && endpoint.listener->has_waiting();
}

// The order in which connections are closed. An idle connection comes before the streams, also if its time is not over.
// A short wait is better than the end of a stream.
enum class Rank : std::uint8_t { ending, stalled, idle, of_session, of_call, in_time };

Rank rank_of(const Exchange& exchange, bool is_over) {
  if (exchange.state == State::closing || exchange.state == State::scanning) return Rank::ending;
  if (exchange.state == State::idle) return Rank::idle;
  if (!is_over) return Rank::in_time;
  if (!is_stream(exchange.state) || is_sending(exchange)) return Rank::stalled;
  return is_standalone(exchange.state) ? Rank::of_session : Rank::of_call;
}

Millis close_one(Endpoint& endpoint) {
  Exchange* next = nullptr;
  Rank least = Rank::in_time;
  std::int32_t longest = 0;
  for (Exchange& exchange : endpoint.storage.exchanges) {
    const Patience patience = patience_with(endpoint, exchange);
    if (patience.limit == forever) continue;
    const auto over = static_cast<std::int32_t>(std::min(patience.elapsed, forever / 2) - patience.limit);
    const Rank rank = rank_of(exchange, over >= 0);
    if (next != nullptr && (rank > least || (rank == least && over <= longest))) continue;
    next = &exchange;
    least = rank;
    longest = over;
  }
  if (next == nullptr) return forever;
  if (longest < 0) return static_cast<Millis>(-longest);
  close_for_client(endpoint, *next);
  return 0;
}

// Resets the times, because no client waits for a connection.
Millis relax(Endpoint& endpoint) {
  if (!is_buffer_contended(endpoint)) endpoint.stalls[0] = endpoint.stalls[1] = 0;
  return forever;
}

}  // namespace

void begin_poll(Endpoint& endpoint, Millis now) {
  const Millis late = now - endpoint.due_at;
  if (static_cast<std::int32_t>(late) > static_cast<std::int32_t>(busy_ms)) {
    for (Exchange& exchange : endpoint.storage.exchanges)
      exchange.paid_ms += std::min(now - endpoint.now, now - exchange.paid_ms);
  }
  endpoint.now = now;
}

// Transferred bytes extend the time of the client, but never beyond now.
void pay(const Endpoint& endpoint, Exchange& exchange, std::size_t size) {
  const auto bought = static_cast<Millis>(std::min<std::size_t>(size, 0xFFFF) * 1000 / endpoint.storage.min_rate);
  exchange.paid_ms += std::min(bought, endpoint.now - exchange.paid_ms);
}

// The time of a waiting request begins when it gets the buffer.
bool acquire_buffer(Endpoint& endpoint, Exchange& exchange) {
  if (endpoint.buffer_owner != nullptr || next_for_buffer(endpoint) != &exchange) return false;
  endpoint.buffer_owner = &exchange;
  exchange.since_ms = exchange.paid_ms = endpoint.now;
  advance(exchange, ExchangeEvent::buffer_granted);
  return true;
}

Millis free_buffer(Endpoint& endpoint) {
  if (!is_buffer_contended(endpoint)) return forever;
  Exchange& owner = *endpoint.buffer_owner;
  const Millis stalled_ms = endpoint.now - owner.paid_ms;
  const Millis limit = shortened(endpoint, endpoint.storage.grace_ms, owner);
  if (stalled_ms < limit) return limit - stalled_ms;
  note_stall(endpoint, owner);
  reject(endpoint, owner, RequestError::time);
  return 0;
}

bool has_connection_for_stream(const Endpoint& endpoint, const SessionId& session) {
  auto left = endpoint.storage.exchanges.end() - endpoint.storage.exchanges.begin() - 1;
  for (const Exchange& exchange : endpoint.storage.exchanges) {
    const bool is_replaced = is_standalone(exchange.state) && is_same(exchange.stream.session, session);
    if (is_stream(exchange.state) && !is_replaced && !can_resume(endpoint, exchange)) --left;
  }
  return left > 0;
}

void close_for_client(Endpoint& endpoint, Exchange& exchange) {
  if (endpoint.links.metrics != nullptr) endpoint.links.metrics->evicted(endpoint);
  if (is_stream(exchange.state) && !is_sending(exchange)) {
    const bool ended = endpoint.links.replay->end(endpoint, exchange, endpoint.storage.evict_idle_after_ms);
    if (!ended) exchange.begun_ms = endpoint.now;
    return;
  }
  if (exchange.state != State::idle && !waits_for_buffer(exchange)) note_stall(endpoint, exchange);
  lose(endpoint, exchange);
}

Millis evict(Endpoint& endpoint) { return lacks_connection(endpoint) ? close_one(endpoint) : relax(endpoint); }

void close_if_crowded(const Endpoint& endpoint, Exchange& exchange) {
  if (!lacks_connection(endpoint)) return;
  const bool is_flood = (endpoint.stalls[0] | endpoint.stalls[1]) != 0;
  const bool has_more = exchange.connection->peer() != 0 && is_crowding(endpoint, exchange);
  const bool is_old = endpoint.now - exchange.begun_ms >= endpoint.storage.evict_idle_after_ms;
  if (is_flood || has_more || is_old) exchange.closes = true;
}

}  // namespace mcp::http
