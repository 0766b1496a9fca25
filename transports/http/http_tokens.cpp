// SPDX-License-Identifier: Apache-2.0
// Tokens that change, and the end of all sessions and requests of a principal at an endpoint.
#include "mcp/http_tokens.hpp"

#include <algorithm>

#include "http/connection.hpp"
#include "http/http1/http_text.hpp"
#include "http/http_sessions.hpp"
#include "mcp/assert.hpp"
#include "mcp/http/request_head.hpp"
#include "mcp/http_transport.hpp"
#include "mcp/memory/secrets.hpp"

namespace mcp {
namespace {

std::span<const std::uint8_t> bytes_of(const char* text, std::size_t size) {
  return {reinterpret_cast<const std::uint8_t*>(text), size};
}

bool is_same(std::string_view given, const RotatingToken::Text& text) {
  return memory::same_bytes(bytes_of(given.data(), given.size()), bytes_of(text.bytes, text.size));
}

void assign(RotatingToken::Text& text, std::string_view token) {
  memory::wipe(text.bytes);
  text.size = static_cast<std::uint8_t>(token.copy(text.bytes, sizeof text.bytes));
}

}  // namespace

bool RotatingTokens::is_valid(std::string_view token) {
  if (token.empty() || token.size() > RotatingToken::max_size) return false;
  while (token.ends_with('=')) token.remove_suffix(1);
  return http::consists_of(token, http::CharSet::bearer);
}

std::uint64_t RotatingTokens::principal(std::size_t user) const {
  return std::uint64_t{users_[user].generation} << 16 | (user + 1);
}

bool RotatingTokens::is_of_another(std::size_t user, std::string_view token) const {
  for (std::size_t i = 0; i < users_.size(); ++i) {
    if (i != user && (is_same(token, users_[i].current) || is_same(token, users_[i].old))) return true;
  }
  return false;
}

Rotation RotatingTokens::rotate(std::size_t user, std::string_view token, Millis now, Millis grace_ms) {
  MCP_ASSERT(user < users_.size() && user < 0xFFFF && grace_ms <= 0x7FFF'FFFF);
  if (!token.empty() && (!is_valid(token) || is_of_another(user, token))) return {false, 0};
  RotatingToken& token_entry = users_[user];
  if (token.empty()) grace_ms = 0;
  if (is_same(token, token_entry.current) && (grace_ms != 0 || token_entry.old.size == 0)) return {true, 0};
  const std::uint64_t before = principal(user);
  if (grace_ms == 0) {
    assign(token_entry.old, {});
    ++token_entry.generation;
  } else {
    assign(token_entry.old, {token_entry.current.bytes, token_entry.current.size});
    token_entry.rotated_ms = now;
    token_entry.grace_ms = grace_ms;
  }
  assign(token_entry.current, token);
  return {true, grace_ms == 0 ? before : 0};
}

Millis RotatingTokens::poll(Millis now) {
  Millis due = forever;
  for (RotatingToken& user : users_) {
    if (user.old.size == 0) continue;
    const Millis elapsed_ms = now - user.rotated_ms;
    if (elapsed_ms >= user.grace_ms) {
      assign(user.old, {});
    } else {
      due = std::min(due, user.grace_ms - elapsed_ms);
    }
  }
  return due;
}

Grant RotatingTokens::do_check(const http::RequestHead& head) {
  std::string_view given;
  const Access access = http::read_token(head, given);
  if (access != Access::granted) return {access};
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < users_.size(); ++i) {
    const bool is_current = is_same(given, users_[i].current);
    const bool is_old = is_same(given, users_[i].old);
    if (is_current || is_old) found = principal(i);
  }
  return {found != 0 ? Access::granted : Access::invalid_token, found, users_.size() == 1, TokenScopes()};
}

void RotatingTokens::do_challenge(Access access, http::ResponseHead& out) { http::begin_challenge(access, out); }

Grant ScopedRotatingTokens::do_check(const http::RequestHead& head) {
  Grant grant = tokens_.check(head);
  const std::size_t user = static_cast<std::size_t>(grant.principal & 0xFFFF) - 1;
  grant.scopes = user < scopes_.size() ? scopes_[user] : TokenScopes(std::string_view());
  return grant;
}

void ScopedRotatingTokens::do_challenge(Access access, http::ResponseHead& out) { http::begin_challenge(access, out); }

void HttpTransport::end_principal(std::uint64_t principal) {
  http::Endpoint& endpoint = endpoint_;
  for (const http::SessionEntry& entry : endpoint.storage.sessions) {
    if (!http::is_none(entry.session) && entry.principal == principal) {
      endpoint.server->close(entry.session, endpoint.now);
    }
  }
  http::forget_ended_sessions(endpoint);
  // Also drops requests without a session: stateless requests, and requests that have just begun.
  for (http::Exchange& exchange : endpoint.storage.exchanges) {
    if (exchange.connection != nullptr && exchange.principal == principal) http::lose(endpoint, exchange);
  }
  // Also ends work of stateless requests that needs no connection: tasks, and jobs that wait for a retry.
  endpoint.server->end_principal(principal, endpoint.now);
}

}  // namespace mcp
