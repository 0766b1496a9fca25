// SPDX-License-Identifier: Apache-2.0
// Chooses the connection to close for a waiting client, and the body that uses the receive buffer.
#pragma once

#include <cstddef>

#include "mcp/http/endpoint.hpp"
#include "mcp/http/exchange.hpp"

namespace mcp::http {

/// Sets the time of the poll. Time in which the main loop was busy counts for no client.
void begin_poll(Endpoint& endpoint, Millis now);
/// Counts bytes of a client for HttpLimits::min_rate.
void pay(const Endpoint& endpoint, Exchange& exchange, std::size_t size);

/// Returns true if the body gets the receive buffer, which one body uses at a time.
bool acquire_buffer(Endpoint& endpoint, Exchange& exchange);
/// While a body waits for the receive buffer, rejects the body that uses it if its client stalls. Returns 0 if it has
/// rejected a body, else the milliseconds until it may.
[[nodiscard]] Millis free_buffer(Endpoint& endpoint);

/// True if one more stream that cannot be resumed leaves a connection for others. The new stream would replace the
/// standalone stream of `session`.
[[nodiscard]] bool has_connection_for_stream(const Endpoint& endpoint, const SessionId& session);
/// While a client waits, closes a connection. Returns 0 if it has closed one, else the milliseconds until it may.
[[nodiscard]] Millis evict(Endpoint& endpoint);
/// Ends the connection of a stream that its client can resume, or closes the connection.
void close_for_client(Endpoint& endpoint, Exchange& exchange);
/// While a client waits for a connection, closes this connection after its response, when no request is lost. Applies
/// to an old connection, to a client with several connections, and while other clients stall.
void close_if_crowded(const Endpoint& endpoint, Exchange& exchange);

}  // namespace mcp::http
