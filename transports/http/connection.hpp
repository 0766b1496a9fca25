// SPDX-License-Identifier: Apache-2.0
// The connections of an endpoint: bytes, time limits, and the state of each exchange.
#pragma once

#include <cstddef>
#include <span>

#include "mcp/assert.hpp"
#include "mcp/http/endpoint.hpp"
#include "mcp/http/exchange.hpp"

namespace mcp::http {

/// Changes the state of an exchange. The table must allow the event.
void advance(Exchange& exchange, ExchangeEvent event);

[[nodiscard]] inline bool is_sending(const Exchange& exchange) { return !exchange.out.empty(); }
/// Begins to send these bytes, and restarts the time limit.
void begin_sending(const Endpoint& endpoint, Exchange& exchange, std::span<const char> bytes);
/// Counts a response for the figures, if they are linked. Its head begins at `exchange.out`.
void count_response(const Endpoint& endpoint, const Exchange& exchange);

/// Accepts a connection for each free exchange.
void accept_connections(Endpoint& endpoint);
/// True for a connection between two requests without input, which needs no step.
[[nodiscard]] inline bool is_quiet(const Exchange& exchange) {
  return exchange.state <= ExchangeState::idle &&
         (exchange.state == ExchangeState::free || !exchange.connection->may_read());
}
/// Does one step of an exchange that is not quiet. Returns false if there is no work before the next event.
bool serve_exchange(Endpoint& endpoint, Exchange& exchange);
/// Returns the milliseconds until the time limit of the exchange. After the limit, responds, closes or sends a comment,
/// and returns 0.
Millis check_time(Endpoint& endpoint, Exchange& exchange);

/// Reads input into memory of the caller. Returns 0 without input, and after the loss of the connection.
std::size_t receive(Endpoint& endpoint, Exchange& exchange, char* into, std::size_t size);
/// Removes the bytes of the request from the buffer for heads. Values of its head are invalid after that.
void discard_request(Exchange& exchange);
/// Ends the request and its stream, and sets their parts of the exchange to zero. Keeps the part of the connection.
void clear_request(const Endpoint& endpoint, Exchange& exchange);
/// Handles the end of a connection. A call of a session continues for a client that resumes it (basic/transports,
/// 2025-11-25). A stateless call is cancelled (basic/patterns/cancellation, 2026-07-28).
void lose(Endpoint& endpoint, Exchange& exchange);
/// Moves the stream of a call to a record without a connection. Returns false if that is impossible.
[[nodiscard]] bool detach(Endpoint& endpoint, Exchange& exchange);
/// Closes the connection and frees the exchange.
void drop(Endpoint& endpoint, Exchange& exchange);
/// Closes the connection of an exchange whose stream another exchange has taken.
void release(Endpoint& endpoint, Exchange& exchange);

}  // namespace mcp::http
