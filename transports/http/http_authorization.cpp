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
  if (endpoint.links.scopes != nullptr) endpoint.links.scopes->take(endpoint, exchange, grant);
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
  const std::span<char> memory(buffer, static_cast<std::size_t>(at - buffer) - status_line);
  ResponseHead out(memory);
  endpoint.options->authorizer->challenge(exchange.access, out);
  if (endpoint.links.scopes != nullptr) endpoint.links.scopes->name(endpoint, exchange, memory, out);
  if (!out.ok()) return nullptr;
  at -= out.text().size();
  std::memmove(at, buffer, out.text().size());
  return at;
}

// ---- Scopes -------------------------------------------------------------------------------------------------------

void take_scopes(const Endpoint& endpoint, Exchange& exchange, const Grant& grant) {
  const bool all = grant.scopes.are_all();
  exchange.out_of_scope = all ? 0 : ~endpoint.server->scopes().named(grant.scopes.names()).bits();
}

void refuse(Endpoint& endpoint, Exchange& exchange, const Reply& reply) {
  exchange.access = Access::insufficient_scope;
  exchange.missing = reply.error;
  respond(endpoint, exchange, Status::forbidden, reply.size);
}

// The scopes of the endpoint, if the challenge ends with them, and the scope of the row. Source: RFC 6750 section 3.
void name_scope(const Endpoint& endpoint, const Exchange& exchange, std::span<char> memory, ResponseHead& challenge) {
  const Reply reply{.status = Reply::Status::none, .size = 0, .error = exchange.missing};
  if (!reply.lacks_scope() || !challenge.ok() || challenge.text().empty()) return;
  const std::string_view text = challenge.text();
  const bool has_scopes = text.find(", scope=\"") != std::string_view::npos && text.ends_with('"');
  if (has_scopes) {
    memory[text.size() - 1] = ' ';  // in place of the quote
  } else {
    challenge.append(", scope=\"");
  }
  challenge.append(endpoint.server->scopes().names()[reply.missing_scope()]);
  challenge.append("\"");
}

}  // namespace

constinit const ScopeOps scope_ops{take_scopes, refuse, name_scope};
constinit const AccessOps access_ops{check_access, send_document, put_challenge};

}  // namespace mcp::http
