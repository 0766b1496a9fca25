// SPDX-License-Identifier: Apache-2.0
// The checks, the challenge and the public document of an endpoint with an Authorizer.
// Source: basic/authorization, 2025-11-25.
#include <algorithm>
#include <bit>
#include <cstring>

#include "http/connection.hpp"
#include "http/event_stream.hpp"
#include "http/http1/http_text.hpp"
#include "http/http1/response_head.hpp"
#include "http/http_hooks.hpp"
#include "http/http_response.hpp"
#include "http/http_sessions.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/rpc/written.hpp"

namespace mcp::http {
namespace {

constexpr Answer use_get[] = {{Status::method_not_allowed, "Use GET."}};
constexpr auto use_get_answer = packed_answers<use_get>();

bool check_access(Endpoint& endpoint, Exchange& exchange) {
  Grant grant = endpoint.options->authorizer->check(exchange.head);
  exchange.principal = grant.principal;
  exchange.only_principal = grant.only_principal;
  if (endpoint.links.scopes != nullptr) endpoint.links.scopes->read_grant(endpoint, exchange, grant);
  exchange.access = grant.access;
  if (grant.access == Access::granted) return true;
  const char* const answer = answer_of(grant.access);
  endpoint.server->audit_rejected(exchange.connection->peer(), static_cast<int>(code_of(static_cast<Status>(*answer))));
  reject(endpoint, exchange, answer);
  return false;
}

// Converts to lower case. Otherwise an Authorizer that compares bytes would keep only one of two fields, and the client
// could choose which.
bool authorizer_reads(const void* endpoint, std::string_view name) {
  char small[64];
  if (name.size() > sizeof small) return true;
  std::transform(name.begin(), name.end(), small,
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return static_cast<const Endpoint*>(endpoint)->options->authorizer->reads({small, name.size()});
}

// The Python SDK shows the text of an error only if the error has an id. The id is in the body of the request, which is
// not read.
std::size_t write_error(std::span<char> transmit_buffer, const char* text) {
  return Server::reject(text, transmit_buffer, "null");
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

// An Authorizer writes forwards, so it writes to the begin of the transmit buffer. The challenge is moved afterwards.
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

// The session that the request names. Returns none if the session is unknown or belongs to another principal.
SessionId named_session(Endpoint& endpoint, Exchange& exchange) {
  const bool names_one = exchange.is_http_sse || exchange.head.has(Header::mcp_session_id);
  const bool is_known =
      names_one && match_session(endpoint, exchange) == RequestError::none && exchange.named == NamedSession::known;
  const SessionId session = is_known ? exchange.stream.session : SessionId();
  // handle_head() decides which session the request belongs to.
  exchange.stream.session = {};
  exchange.named = NamedSession::none;
  return session;
}

// The scopes that messages of the session had. A new session in this slot begins without scopes.
std::uint32_t& scopes_used_in(const Endpoint& endpoint, SessionId session) {
  const std::span<SessionEntry> sessions = endpoint.storage.sessions;
  SessionScopes& scopes = reinterpret_cast<SessionScopes*>(sessions.data() + sessions.size())[session.index];
  if (scopes.serial != session.serial_low) scopes = {session.serial_low, 0};
  return scopes.used;
}

// The streams of a session carry updates and repeated results of its messages. So a stream needs each scope that a
// message of the session had. The function ends open streams without the scopes.
void add_message_scopes(Endpoint& endpoint, Exchange& exchange, SessionId session) {
  const std::uint64_t known = (std::uint64_t{1} << endpoint.server->scopes().names().size()) - 1;
  std::uint32_t& used = scopes_used_in(endpoint, session);
  used |= static_cast<std::uint32_t>(known) & ~exchange.out_of_scope;
  for (Exchange& other : endpoint.storage.exchanges) {
    if (!is_standalone(other.state) || !is_same(other.stream.session, session)) continue;
    if (exchange.is_http_sse) {
      // An HTTP+SSE session has one stream, which takes the response.
      exchange.out_of_scope |= other.out_of_scope;
    } else if ((used & other.out_of_scope) != 0) {
      stop_listening(endpoint, other);
      advance(other, ExchangeEvent::stream_closed);
    }
  }
}

void read_scopes(Endpoint& endpoint, Exchange& exchange, Grant& grant) {
  const bool all = grant.scopes.are_all();
  exchange.out_of_scope = all ? 0 : ~endpoint.server->scopes().named(grant.scopes.names()).bits();
  if (grant.access != Access::granted) return;
  const SessionId session = named_session(endpoint, exchange);
  if (is_none(session)) return;
  if (exchange.head.method() == Method::post) return add_message_scopes(endpoint, exchange, session);
  const std::uint32_t lacks = scopes_used_in(endpoint, session) & exchange.out_of_scope;
  if (exchange.head.method() != Method::get || lacks == 0) return;
  grant.access = Access::insufficient_scope;
  exchange.missing = static_cast<Reply::Error>(static_cast<int>(Reply::Error::scope) + std::countr_zero(lacks));
}

// True if clients get tokens by OAuth. Such clients read the challenge, and get a token with the scope.
bool names_issuers(const Endpoint& endpoint) {
  json::Writer nowhere({});
  return endpoint.options->authorizer->document("/.well-known/oauth-protected-resource", nowhere);
}

bool reject_scope(Endpoint& endpoint, Exchange& exchange, const Reply& reply) {
  const bool has_id = rpc::what_is_written({exchange.json, reply.size}) == rpc::Written::with_id;
  if (has_id && !endpoint.is_stateless(exchange) && !names_issuers(endpoint)) return false;
  exchange.access = Access::insufficient_scope;
  exchange.missing = reply.error;
  respond(endpoint, exchange, Status::forbidden, reply.size);
  return true;
}

// Adds the scope of the row to the scopes of the endpoint, if the challenge ends with them. A challenge has one
// `scope`, so a challenge with further members is not changed. Source: RFC 6750 section 3.
void name_scope(const Endpoint& endpoint, const Exchange& exchange, std::span<char> memory, ResponseHead& challenge) {
  const Reply reply{.status = Reply::Status::none, .size = 0, .error = exchange.missing};
  if (!reply.lacks_scope() || !challenge.ok() || challenge.text().empty()) return;
  const std::string_view text = challenge.text();
  constexpr std::string_view key = "scope=\"";
  const std::size_t scope = text.find(key);
  if (scope == std::string_view::npos) {
    challenge.append(text.find('=') == std::string_view::npos ? " scope=\"" : ", scope=\"");
  } else {
    if (text.find('"', scope + key.size()) != text.size() - 1) return;
    memory[text.size() - 1] = ' ';  // replaces the quote
  }
  challenge.append(endpoint.server->scopes().names()[reply.missing_scope()]);
  challenge.append("\"");
}

// ---- Tokens with a limit of their own (HttpLimits::token_size) ------------------------------------------------------

std::size_t token_space(const Endpoint& endpoint, const Exchange& exchange) {
  const std::string_view line = exchange.reader.current_line(exchange.heads);
  std::size_t size = 0;
  if (exchange.head.has(Header::authorization)) {
    size = name_of(Header::authorization).size() + 2 + exchange.head.value(Header::authorization).size();
  } else if (named_header(line).header == Header::authorization) {
    size = line.size();
  }
  const std::size_t limit = endpoint.storage.head_size + std::min<std::size_t>(size, endpoint.storage.token_size);
  return std::max(limit, exchange.filled);  // spaces around the value count until the line is complete
}

void set_token_apart(const Endpoint& endpoint, Exchange& exchange) {
  if (exchange.filled <= endpoint.storage.head_size) return;
  exchange.filled -= exchange.head.set_apart(Header::authorization, exchange.heads, exchange.filled);
}

}  // namespace

constinit const TokenOps token_ops{token_space, set_token_apart};
constinit const ScopeOps scope_ops{read_scopes, reject_scope, name_scope};
constinit const AccessOps access_ops{check_access, authorizer_reads, send_document, put_challenge, write_error};

}  // namespace mcp::http
