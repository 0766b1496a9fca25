// SPDX-License-Identifier: Apache-2.0
// Which connection is closed while a client waits for one, and which body uses the receive buffer.
#pragma once

#include <cstddef>

#include "mcp/http/endpoint.hpp"
#include "mcp/http/exchange.hpp"

namespace mcp::http {

/// Sets the time. The time in which the main loop was busy does not count for any client.
void begin_poll(Endpoint& endpoint, Millis now);
/// Counts bytes of a client for HttpLimits::min_rate.
void pay(const Endpoint& endpoint, Exchange& exchange, std::size_t size);

/// True if the body was given the receive buffer, which one body uses at a time.
bool take_buffer(Endpoint& endpoint, Exchange& exchange);
/// While a body waits for the receive buffer, rejects the body that uses it if its client stalls. Returns 0 after that,
/// else the milliseconds until then.
[[nodiscard]] Millis free_buffer(Endpoint& endpoint);

/// True if one more stream that cannot be resumed leaves a connection for others. It would replace the standalone
/// stream of `session`.
[[nodiscard]] bool has_connection_for_stream(const Endpoint& endpoint, const SessionId& session);
/// While a client waits for a connection, closes one. Returns 0 after that, else the milliseconds until then.
[[nodiscard]] Millis evict(Endpoint& endpoint);
/// Ends the connection of a stream that its client can resume, or closes the connection.
void close_for_client(Endpoint& endpoint, Exchange& exchange);
/// While a client waits for a connection, closes this one after its response, when no request is lost. Only for an old
/// connection, for a client with several connections, and while other clients stall.
void close_if_crowded(const Endpoint& endpoint, Exchange& exchange);

}  // namespace mcp::http
