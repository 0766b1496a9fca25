// SPDX-License-Identifier: Apache-2.0
// Messages that are longer than Limits::receive_size.
#pragma once

#include "mcp/http/endpoint.hpp"
#include "mcp/http/exchange.hpp"

namespace mcp::http {

/// Responds at once. Later input shows whether the message is a response, and to which input request.
void reject_oversized(Endpoint& endpoint, Exchange& exchange);
/// Drops input after the HTTP response, and searches it for the id of an oversized response of the client.
bool drain(Endpoint& endpoint, Exchange& exchange);
/// Returns false while the HTTP+SSE stream that gets the response sends another message. Before a message is handled,
/// its connection may be closed for another client.
[[nodiscard]] bool has_space_for_response(const Endpoint& endpoint, const Exchange& exchange);

}  // namespace mcp::http
