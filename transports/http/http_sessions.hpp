// SPDX-License-Identifier: Apache-2.0
// The sessions of an endpoint: their ids, principals and end.
#pragma once

#include <cstdint>
#include <span>

#include "http/http_response.hpp"
#include "mcp/http/endpoint.hpp"
#include "mcp/http/exchange.hpp"
#include "mcp/transport.hpp"

namespace mcp::http {

/// Finds the session that a request names. Called after the head was read, and again before the message is handled,
/// because the session may have ended meanwhile.
[[nodiscard]] RequestError match_session(Endpoint& endpoint, Exchange& exchange);
/// Stores a new session with the principal and the owner of this request. `id` is random bytes.
void store_session(Endpoint& endpoint, Exchange& exchange, SessionId session,
                   std::span<const std::uint8_t, session_id_size> id);
/// Clears all references to sessions that have ended.
void forget_ended_sessions(Endpoint& endpoint);

/// The sender of a request, and its request metadata headers.
[[nodiscard]] TransportInfo info_of(const Endpoint& endpoint, const Exchange& exchange);

}  // namespace mcp::http
