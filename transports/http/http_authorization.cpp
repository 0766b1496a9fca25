// SPDX-License-Identifier: Apache-2.0
// The checks, the challenge and the public document of an endpoint with an Authorizer.
// Source: basic/authorization, 2025-11-25.
#include <cstring>

#include "http/http1/http_text.hpp"
#include "http/http1/response_head.hpp"
#include "http/http_hooks.hpp"
#include "http/http_response.hpp"
#include "mcp/json/writer.hpp"

namespace mcp::http {
namespace {

constexpr Answer use_get[] = {{Status::method_not_allowed, "Use GET."}};
constexpr auto use_get_answer = packed_answers<use_get>();

bool check_access(Endpoint& endpoint, Exchange& exchange) {
  const Grant grant = endpoint.options->authorizer->check(exchange.head);
  exchange.access = grant.access;
  exchange.principal = grant.principal;
  exchange.only_principal = grant.only_principal;
  if (grant.access == Access::granted) return true;
  const char* const answer = answer_of(grant.access);
  endpoint.server->audit_rejected(exchange.connection->peer(), static_cast<int>(code_of(static_cast<Status>(*answer))));
  reject(endpoint, exchange, answer);
  return false;
}

bool send_document(Endpoint& endpoint, Exchange& exchange) {
  json::Writer out(endpoint.transmit_buffer(exchange));
  if (!endpoint.options->authorizer->document(exchange.head.path(), out)) return false;
  switch (exchange.head.method()) {
    case Method::options: respond(endpoint, exchange, Status::no_content); break;
    case Method::get:
      out.ok() ? respond(endpoint, exchange, Status::ok, out.size())
               : respond(endpoint, exchange, Status::internal_server_error);
      break;
    default: reject(endpoint, exchange, use_get_answer.data());
  }
  return true;
}

// An Authorizer writes forwards, so it writes to the begin of the transmit buffer. Then the challenge is moved.
char* put_challenge(const Endpoint& endpoint, const Exchange& exchange, char* at) {
  constexpr std::size_t status_line = std::string_view("HTTP/1.1 401 Unauthorized").size();
  char* const buffer = exchange.json - frame_size;
  ResponseHead out({buffer, static_cast<std::size_t>(at - buffer) - status_line});
  endpoint.options->authorizer->challenge(exchange.access, out);
  if (!out.ok()) return nullptr;
  at -= out.text().size();
  std::memmove(at, buffer, out.text().size());
  return at;
}

}  // namespace

constinit const AccessOps access_ops{check_access, send_document, put_challenge};

}  // namespace mcp::http
