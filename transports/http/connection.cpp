// SPDX-License-Identifier: Apache-2.0
#include "http/connection.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "http/event_stream.hpp"
#include "http/eviction.hpp"
#include "http/http1/http_text.hpp"
#include "http/http1/response_head.hpp"
#include "http/http_hooks.hpp"
#include "http/http_request.hpp"
#include "http/http_response.hpp"
#include "http/oversized.hpp"

namespace mcp::http {
namespace {

using State = ExchangeState;
using Event = ExchangeEvent;

// Sets all parts to zero, without a copy on the stack. Keeps the channel.
void clear(Exchange& exchange) {
  static_assert(std::is_trivially_copyable_v<Exchange>);
  const Channel channel = exchange.stream.channel;
  std::memset(static_cast<void*>(&exchange), 0, sizeof exchange);
  exchange.stream.channel = channel;
}

void hang_up(Exchange& exchange) {
  if (exchange.connection != nullptr) exchange.connection->close();
  exchange.connection = nullptr;
  exchange.out = {};
}

static void lose_client(Endpoint& endpoint, Exchange& exchange, IoStatus status) {
  exchange.is_client_gone = status == IoStatus::failed;
  lose(endpoint, exchange);
}

bool send(Endpoint& endpoint, Exchange& exchange) {
  const IoResult result = exchange.connection->write(exchange.out);
  if (result.status == IoStatus::would_block) return false;
  if (result.status != IoStatus::ok) {
    lose_client(endpoint, exchange, result.status);
    return true;
  }
  // 100 Continue gives the request no further time.
  if (exchange.state != State::body && exchange.state != State::waiting) exchange.since_ms = endpoint.now;
  pay(endpoint, exchange, result.size);
  exchange.out = exchange.out.subspan(result.size);
  return true;
}

// The space of the buffer for heads for this head, in bytes. A long token continues in the transmit buffer after it,
// which is unused before the response.
std::size_t space_for_head(const Endpoint& endpoint, const Exchange& exchange) {
  const TokenOps* const tokens = endpoint.links.tokens;
  return tokens != nullptr ? tokens->space(endpoint, exchange) : endpoint.storage.head_size;
}

// Drops fields from a head that is too long, such as the cookies of a browser, or makes space for its token.
bool make_space(const Endpoint& endpoint, Exchange& exchange, std::size_t& space) {
  if (exchange.reader.error() != ParseError::head_too_long) return false;
  const HttpLinks& links = endpoint.links;
  RequestHeadReader::Reads reads = links.access != nullptr ? links.access->reads : nullptr;
  if (links.page != nullptr) reads = links.page->reads;
  const std::size_t size = exchange.reader.make_space(exchange.heads, exchange.filled, exchange.head, reads, &endpoint);
  exchange.filled -= size;
  const std::size_t before = std::exchange(space, space_for_head(endpoint, exchange));
  if (size == 0 && space > before) exchange.reader.resume();
  return exchange.reader.error() == ParseError::none;
}

bool read_head(Endpoint& endpoint, Exchange& exchange) {
  std::size_t space = space_for_head(endpoint, exchange);
  Progress progress = Progress::more;
  for (;;) {
    progress = exchange.reader.read({exchange.heads, space}, exchange.filled, exchange.head);
    if (progress == Progress::rejected && make_space(endpoint, exchange, space)) continue;
    if (progress != Progress::more) break;
    const std::size_t size = receive(endpoint, exchange, exchange.heads + exchange.filled, space - exchange.filled);
    if (size == 0) return false;
    if (exchange.state != State::head) {
      exchange.since_ms = endpoint.now;
      if (exchange.state == State::idle) exchange.paid_ms = endpoint.now;
      advance(exchange, Event::head_begun);
    }
    pay(endpoint, exchange, size);
    exchange.filled += size;
  }
  if (progress == Progress::rejected) {
    reject(endpoint, exchange, exchange.reader.error());
  } else {
    if (endpoint.links.tokens != nullptr) endpoint.links.tokens->set_apart(endpoint, exchange);
    exchange.consumed = exchange.head.size();
    reject(endpoint, exchange, check_head(endpoint, exchange));
  }
  return true;
}

bool read_body(Endpoint& endpoint, Exchange& exchange) {
  RequestBody& body = exchange.body;
  if (exchange.consumed != exchange.filled) {
    exchange.consumed += body.read({exchange.heads + exchange.consumed, exchange.filled - exchange.consumed});
  } else if (body.progress() == Progress::more) {
    // Reads no bytes after this request. Content goes directly to its buffer, the framing of chunks is read byte by
    // byte.
    char byte[1];
    const std::size_t expected = body.expected();
    char* const into = expected != 0 ? body.data() + body.size() : byte;
    const std::size_t size = receive(endpoint, exchange, into, expected != 0 ? expected : 1);
    if (size == 0) return false;
    pay(endpoint, exchange, size);
    static_cast<void>(body.read({into, size}));
  }
  if (body.is_too_large()) {
    reject_oversized(endpoint, exchange);
  } else if (body.progress() == Progress::rejected) {
    reject(endpoint, exchange, body.error());
  } else if (body.progress() == Progress::done) {
    if (!has_space_for_response(endpoint, exchange)) return false;
    handle_message(endpoint, exchange);
    if (endpoint.buffer_owner == &exchange) endpoint.buffer_owner = nullptr;
  }
  return true;
}

// Bytes after the request are the begin of the next one.
void end_request(const Endpoint& endpoint, Exchange& exchange) {
  if (!exchange.closes) {
    discard_request(exchange);
    clear_request(endpoint, exchange);
    advance(exchange, Event::kept_alive);
    if (exchange.filled != 0) advance(exchange, Event::head_begun);
    return;
  }
  exchange.connection->finish();
  if (!exchange.body.is_too_large()) {
    clear_request(endpoint, exchange);
    return advance(exchange, Event::finished);
  }
  exchange.since_ms = exchange.paid_ms = endpoint.now;  // keeps the session of a response that is too long
  advance(exchange, Event::scan_begun);
}

bool step(Endpoint& endpoint, Exchange& exchange) {
  if (exchange.pending_output != 0 && deliver_pending(endpoint, exchange)) return true;
  if (is_sending(exchange)) {
    if (!send(endpoint, exchange)) return false;
    if (exchange.state != State::response || is_sending(exchange)) return true;
  }
  switch (exchange.state) {
    case State::connected:
    case State::idle:
    case State::head:
      if (!read_head(endpoint, exchange)) return false;
      if (exchange.state == State::body && !is_sending(exchange)) static_cast<void>(read_body(endpoint, exchange));
      return true;
    case State::waiting: return acquire_buffer(endpoint, exchange);
    case State::body: return read_body(endpoint, exchange);
    case State::response:
      if (exchange.pending_output != 0) return false;
      if (endpoint.links.metrics != nullptr && endpoint.links.metrics->send_next(endpoint, exchange)) return true;
      if (endpoint.links.page != nullptr && endpoint.links.page->send_rest(endpoint, exchange)) return true;
      end_request(endpoint, exchange);
      return true;
    // A close while the client still sends would reset the connection, and the client would lose bytes that it has not
    // read. Source: RFC 9112 section 9.6.
    case State::closing:
    case State::scanning: return drain(endpoint, exchange);
    case State::orphaned:
      if (exchange.pending_output != 0) return false;
      drop(endpoint, exchange);
      return true;
    default: return run_stream(endpoint, exchange);
  }
}

// True for an HTTP+SSE stream, which begins before its client initializes.
bool awaits_initialize(const Endpoint& endpoint, const Exchange& exchange) {
  return exchange.is_http_sse && endpoint.server->revision(exchange.stream.session).empty();
}

// The time limit from `since_ms` on; `forever` for a stream within an event.
[[gnu::noinline]] Millis time_limit(const Endpoint& endpoint, const Exchange& exchange) {
  const bool sends = is_sending(exchange);
  switch (exchange.state) {
    case State::orphaned: return forever;
    case State::connected:
    case State::idle: return endpoint.storage.idle_timeout_ms;
    case State::waiting: return sends ? endpoint.storage.request_timeout_ms : forever;
    case State::head:
    case State::body:
    case State::closing:
    case State::scanning: return endpoint.storage.request_timeout_ms;
    default: break;
  }
  if (sends) return endpoint.storage.idle_timeout_ms;
  if (!is_stream(exchange.state)) return forever;
  if (awaits_initialize(endpoint, exchange)) return endpoint.storage.idle_timeout_ms;
  return exchange.stream.in_event ? forever : endpoint.storage.comment_interval_ms;
}

// True for the stream of a call of a session without a result.
bool continues(const Endpoint& endpoint, const Exchange& exchange) {
  if (!is_live(exchange.state) || is_standalone(exchange.state) || endpoint.is_stateless(exchange)) return false;
  return exchange.stream.in_event || has_pending_output(endpoint, exchange.stream) ||
         endpoint.server->serves(exchange.stream.session, exchange.stream.channel);
}

}  // namespace

void advance(Exchange& exchange, ExchangeEvent event) {
  MCP_ASSERT(transitions.allows(exchange.state, event));
  exchange.state = transitions.of(event).to;
}

void begin_sending(const Endpoint& endpoint, Exchange& exchange, std::span<const char> bytes) {
  exchange.since_ms = exchange.paid_ms = endpoint.now;
  exchange.out = bytes;
}

void count_response(const Endpoint& endpoint, const Exchange& exchange) {
  if (endpoint.links.metrics != nullptr) endpoint.links.metrics->responded(endpoint, exchange);
}

void accept_connections(Endpoint& endpoint) {
  const HttpStorageView& storage = endpoint.storage;
  while (endpoint.used != storage.connections) {
    Connection* const connection = endpoint.listener->accept();
    if (connection == nullptr) return;
    std::size_t index = 0;
    while (storage.exchanges[index].state != State::free) ++index;
    Exchange& exchange = storage.exchanges[index];
    if (exchange.stream.channel == 0) exchange.stream.channel = static_cast<Channel>(index + 1);
    exchange.connection = connection;
    connection->note_input_at(&storage.ready[index]);
    storage.ready[index] = true;
    exchange.heads = storage.buffers + index * (storage.head_size + storage.tx_buffer_size);
    exchange.json = exchange.heads + storage.head_size + frame_size;
    exchange.begun_ms = exchange.since_ms = exchange.paid_ms = endpoint.now;
    advance(exchange, Event::accepted);
    ++endpoint.used;
    if (endpoint.links.metrics != nullptr) endpoint.links.metrics->accepted(endpoint);
  }
}

// Not inlined, because in the loop the compiler would count the offsets of members from the next exchange, and each
// would take a longer instruction.
[[gnu::noinline]] bool serve_exchange(Endpoint& endpoint, Exchange& exchange) {
  return step(endpoint, exchange) || exchange.state == State::free;  // a waiting client can use a free exchange
}

Millis check_time(Endpoint& endpoint, Exchange& exchange) {
  const Millis limit = time_limit(endpoint, exchange);
  const Millis passed = endpoint.now - exchange.since_ms;
  if (limit == forever) return forever;
  if (passed < limit) return limit - passed;
  const State state = exchange.state;
  // No response can follow a part of `100 Continue`.
  const bool is_cut = is_sending(exchange) && exchange.out.size() != continue_response.size();
  if ((state == State::head || state == State::body || state == State::waiting) && !is_cut) {
    reject(endpoint, exchange, RequestError::time);
  } else if (is_stream(state) && !awaits_initialize(endpoint, exchange) && !is_sending(exchange)) {
    // A comment keeps the connection open in proxies, and detects that the client has vanished. A client that takes
    // only JSON gets white space before the response instead.
    const std::string_view comment = is_for_response_only(exchange) ? "\n\n" : ":\n\n";
    send_event(endpoint, exchange, put_before(exchange.json, comment), exchange.json);
  } else {
    lose_client(endpoint, exchange, IoStatus::failed);
  }
  return 0;
}

std::size_t receive(Endpoint& endpoint, Exchange& exchange, char* into, std::size_t size) {
  const IoResult result = exchange.connection->read({into, size});
  if (result.status == IoStatus::ok) return result.size;
  if (result.status != IoStatus::would_block) lose_client(endpoint, exchange, result.status);
  return 0;
}

void discard_request(Exchange& exchange) {
  exchange.filled -= exchange.consumed;
  std::memmove(exchange.heads, exchange.heads + exchange.consumed, exchange.filled);
  exchange.consumed = 0;
}

void clear_request(const Endpoint& endpoint, Exchange& exchange) {
  const ExchangeConnection connection = exchange;
  clear(exchange);
  static_cast<ExchangeConnection&>(exchange) = connection;
  exchange.since_ms = exchange.paid_ms = endpoint.now;
}

void lose(Endpoint& endpoint, Exchange& exchange) {
  if (exchange.pending_output != 0 && !is_stream(exchange.state)) {
    hang_up(exchange);
    return advance(exchange, Event::orphaned);
  }
  if (continues(endpoint, exchange) && !detach(endpoint, exchange)) {
    endpoint.server->cancel(exchange.stream.session, exchange.stream.channel, endpoint.now);
  }
  drop(endpoint, exchange);
}

bool detach(Endpoint& endpoint, Exchange& exchange) {
  return endpoint.links.detached != nullptr && endpoint.links.detached->detach(endpoint, exchange);
}

void drop(Endpoint& endpoint, Exchange& exchange) {
  if (exchange.state == State::call && endpoint.is_stateless(exchange)) {
    endpoint.server->cancel(exchange.stream.session, exchange.stream.channel, endpoint.now);
  }
  if (endpoint.buffer_owner == &exchange) endpoint.buffer_owner = nullptr;
  if (is_standalone(exchange.state)) stop_listening(endpoint, exchange);
  release(endpoint, exchange);
}

void release(Endpoint& endpoint, Exchange& exchange) {
  hang_up(exchange);
  advance(exchange, Event::dropped);
  clear(exchange);
  --endpoint.used;
}

}  // namespace mcp::http
