// SPDX-License-Identifier: Apache-2.0
// Checks a request in the order of the protocol (Host, Origin, path, method, access, session), and handles its message.
#pragma once

#include "http/http_response.hpp"
#include "mcp/http/endpoint.hpp"
#include "mcp/http/exchange.hpp"

namespace mcp::http {

/// Checks a complete head. Returns `none` if the request has its response, if its stream has begun, or if its body is
/// expected.
[[nodiscard]] RequestError check_head(Endpoint& endpoint, Exchange& exchange);
/// Checks the era and the session, after check_head().
[[nodiscard]] RequestError handle_head(Endpoint& endpoint, Exchange& exchange);
/// Begins or resumes a stream.
[[nodiscard]] RequestError handle_get(Endpoint& endpoint, Exchange& exchange);
/// Checks that the body is JSON without a content coding.
[[nodiscard]] RequestError check_content(const RequestHead& head);
/// Receives the body next.
void expect_body(const Endpoint& endpoint, Exchange& exchange);
/// Handles a complete message.
void handle_message(Endpoint& endpoint, Exchange& exchange);

}  // namespace mcp::http
