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

// True if `at` is the end, or the begin of a port.
bool ends_at(const std::string_view& host, std::size_t at) {
  if (at == host.size()) return true;
  if (host[at] != ':') return false;
  while (++at != host.size()) {
    if (!http::is_digit(host[at])) return false;
  }
  return true;
}

// True if `host` is `name`, with or without a port. A `name` with a port must be equal.
bool is_host(const std::string_view& host, const std::string_view& name, bool may_have_final_dot) {
  std::size_t at = name.size();
  if (!http::equal_without_case(host.substr(0, at), name)) return false;
  std::size_t end = at;
  while (end != 0 && http::is_digit(name[end - 1])) --end;
  if (end != 0 && name[end - 1] == ':') return at == host.size();
  if (may_have_final_dot && at < host.size() && host[at] == '.') ++at;
  return ends_at(host, at);
}

// Returns the size of the IPv4address at `at`; 0 if there is none. Source: RFC 3986 section 3.2.2.
std::size_t ipv4_size(const std::string_view& host, std::size_t at) {
  constexpr unsigned most_digits = 3;
  constexpr unsigned least[] = {256, 0, 10, 100};  // by the number of digits: an octet has no leading zero
  const std::size_t begin = at;
  unsigned value = 0;
  unsigned digits = 0;
  for (unsigned octets = 0;; ++at) {
    const char c = at != host.size() ? host[at] : '\0';
    if (http::is_digit(c)) {
      if (++digits > most_digits) return 0;
      value = value * 10 + static_cast<unsigned>(c - '0');
      continue;
    }
    if (value < least[digits] || value > 255) return 0;
    if (++octets == 4) return at - begin;
    if (c != '.') return 0;
    value = digits = 0;
  }
}

bool is_hex_digit(char c) { return http::is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }

bool has_at(const std::string_view& host, std::size_t at, char c) { return at < host.size() && host[at] == c; }

// A part of an IPv6address: 16 bits, or an IPv4address at its end. The size is 0 if there is none.
struct Group {
  std::size_t size;
  bool is_ipv4;
};

Group group_at(const std::string_view& host, std::size_t at) {
  std::size_t size = 0;
  while (at + size < host.size() && is_hex_digit(host[at + size])) ++size;
  if (has_at(host, at + size, '.')) return {ipv4_size(host, at), true};
  return {size <= 4 ? size : 0, false};
}

// Returns the position after the IPv6address that begins after the bracket; 0 if there is none.
// Source: RFC 3986 section 3.2.2.
std::size_t ipv6_end(const std::string_view& host) {
  constexpr unsigned all = 8;
  std::size_t at = 1;
  unsigned groups = 0;
  bool has_gap = has_at(host, at, ':') && has_at(host, at + 1, ':');
  if (has_gap) at += 2;
  for (;;) {
    const Group group = group_at(host, at);
    if (group.size == 0) {  // valid only directly after the gap
      if (!has_gap || host[at - 2] != ':') return 0;
      break;
    }
    groups += group.is_ipv4 ? 2 : 1;
    at += group.size;
    if (group.is_ipv4 || !has_at(host, at, ':')) break;
    ++at;
    if (!has_at(host, at, ':')) continue;
    if (has_gap) return 0;
    has_gap = true;
    ++at;
  }
  return (has_gap ? groups < all : groups == all) ? at : 0;
}

// Returns the size of an IPv6 address with its brackets and an optional zone; 0 if there is none. Other IP literals are
// not addresses of a device. Source: RFC 6874.
std::size_t literal_size(const std::string_view& host) {
  std::size_t at = ipv6_end(host);
  if (at == 0) return 0;
  if (has_at(host, at, '%')) {
    const std::size_t zone = ++at;
    while (at < host.size() && http::is_of(host[at], http::CharSet::bearer)) ++at;
    if (at == zone) return 0;
  }
  return has_at(host, at, ']') ? at + 1 : 0;
}

// True for an IP address, with or without a port. Browsers do not look it up in DNS, so an attacker cannot rebind it.
bool is_address(const std::string_view& host) {
  const std::size_t size = host.starts_with('[') ? literal_size(host) : ipv4_size(host, 0);
  return size != 0 && ends_at(host, size);
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
  if (!is_word(read_until(rest, ' '), "Bearer")) return Access::unauthorized;
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
  if (!skip_scheme(origin)) return false;
  for (const std::string_view local : {"localhost"sv, "127.0.0.1"sv, "[::1]"sv}) {
    if (is_host(origin, local, false)) return true;
  }
  return false;
}

}  // namespace mcp
