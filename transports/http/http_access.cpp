// SPDX-License-Identifier: Apache-2.0
#include "mcp/http_access.hpp"

#include "http/http1/http_text.hpp"
#include "http/http1/response_head.hpp"
#include "mcp/http/request_head.hpp"
#include "mcp/json/text.hpp"
#include "mcp/memory/secrets.hpp"

namespace mcp {

using namespace std::string_view_literals;

namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// True if a port follows at `at`, or nothing.
bool ends_at(const std::string_view& host, std::size_t at) {
  if (at == host.size()) return true;
  if (host[at] != ':') return false;
  while (++at != host.size()) {
    if (!http::is_digit(host[at])) return false;
  }
  return true;
}

// True if `host` is `name`, with any port or none.
bool is_host(const std::string_view& host, const std::string_view& name, bool may_have_final_dot) {
  std::size_t at = name.size();
  if (!http::equal_without_case(host.substr(0, at), name)) return false;
  if (may_have_final_dot && at < host.size() && host[at] == '.') ++at;
  return ends_at(host, at);
}

// True for a host that no browser looks up in DNS, so no attacker can rebind it. A browser rejects every other host
// with such characters (URL Standard, section 3.5).
bool is_address(const std::string_view& host) {
  std::size_t at = 0;
  while (at != host.size() && (host[at] == '.' || http::is_digit(host[at]))) ++at;
  return at == 0 ? host.starts_with('[') : ends_at(host, at);
}

bool is_one_of(std::span<const std::string_view> allowed, const std::string_view& text) {
  for (const std::string_view& other : allowed) {
    if (http::equal_without_case(other, text)) return true;
  }
  return false;
}

// In the order of Access.
constexpr std::string_view errors[] = {"", "", "invalid_token", "invalid_request", "insufficient_scope"};
constexpr http::Answer answers[] = {
    {http::Status::unauthorized, "Token required."},
    {http::Status::unauthorized, "The token is invalid or has expired."},
    {http::Status::bad_request, "Authorization must be: Bearer TOKEN."},
    {http::Status::forbidden, "The token lacks a scope."},
};
static_assert(std::size(errors) == static_cast<unsigned>(Access::insufficient_scope) + 1);
static_assert(std::size(answers) == static_cast<unsigned>(Access::insufficient_scope));

constexpr auto errors_table = http::packed<errors>();
constexpr auto answers_table = http::packed_answers<answers>();

}  // namespace

Grant StaticTokens::do_check(const http::RequestHead& head) {
  std::string_view given;
  const Access access = http::read_token(head, given);
  if (access != Access::granted) return {access};
  std::uint64_t principal = 0;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (memory::same_bytes(bytes_of(given), bytes_of(tokens_[i]))) principal = i + 1;
  }
  return {principal != 0 ? Access::granted : Access::invalid_token, principal, tokens_.size() == 1, TokenScopes()};
}

void StaticTokens::do_challenge(Access access, http::ResponseHead& out) { http::begin_challenge(access, out); }

Grant ScopedTokens::do_check(const http::RequestHead& head) {
  std::string_view given;
  const Access access = http::read_token(head, given);
  if (access != Access::granted) return {access};
  Grant grant{Access::invalid_token, 0, tokens_.size() == 1, std::string_view()};
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const StaticToken& token = tokens_[i];
    if (!memory::same_bytes(bytes_of(given), bytes_of(token.token))) continue;
    grant.access = Access::granted;
    grant.principal = token.principal != 0 ? token.principal : i + 1;
    grant.scopes = token.scopes;
  }
  return grant;
}

void ScopedTokens::do_challenge(Access access, http::ResponseHead& out) { http::begin_challenge(access, out); }

Access http::read_token(const RequestHead& head, std::string_view& token) {
  std::string_view rest = head.value(Header::authorization);
  if (!is_word(take_until(rest, ' '), "Bearer")) return Access::unauthorized;
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  token = rest;
  if (rest.empty()) return Access::unauthorized;
  while (rest.ends_with('=')) rest.remove_suffix(1);
  return consists_of(rest, CharSet::bearer) ? Access::granted : Access::invalid_request;
}

void http::begin_challenge(Access access, ResponseHead& out) {
  out.begin("WWW-Authenticate"sv);
  out.append("Bearer"sv);
  if (access == Access::unauthorized) return;
  out.append(" error=\""sv);
  out.append(packed_at(errors_table.data(), static_cast<unsigned>(access)));
  out.append("\""sv);
}

const char* http::answer_of(Access access) { return answer_at(answers_table.data(), static_cast<unsigned>(access)); }

std::string_view exposure_warning(const HttpOptions& options, bool beyond_loopback) {
  if (!beyond_loopback || options.authorizer != nullptr) return {};
  return "warning: other machines can reach this server, and it requires no token: each client can call its tools";
}

bool http::allows_host(const HttpOptions& options, const std::string_view& host) {
  if (is_address(host) || is_host(host, "localhost", true)) return true;
  for (const std::string_view& allowed : options.hosts) {
    if (!allowed.empty() && is_host(host, allowed, true)) return true;
  }
  return false;
}

bool http::allows_origin(const HttpOptions& options, std::string_view origin) {
  if (origin.size() > max_origin_size) return false;
  if (!options.origins.empty()) return is_one_of(options.origins, origin);
  if (!take_scheme(origin)) return false;
  for (const std::string_view local : {"localhost"sv, "127.0.0.1"sv, "[::1]"sv}) {
    if (is_host(origin, local, false)) return true;
  }
  return false;
}

}  // namespace mcp
