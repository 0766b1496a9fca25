// SPDX-License-Identifier: Apache-2.0
/// @file
/// The options of an HTTP endpoint: its path, hosts and allowed clients.
/// @code
/// constexpr std::string_view hosts[] = {"boiler.local", "boiler.example.com"};
/// mcp::HttpOptions options(std::span<const std::string_view> tokens) {
///   static mcp::StaticTokens authorizer{tokens};
///   return {.hosts = hosts, .authorizer = &authorizer};
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/http/http_link.hpp"

namespace mcp {

namespace json {
class Writer;
}
namespace http {
class RequestHead;
class ResponseHead;
}  // namespace http

/// The decision of an Authorizer about a request. Source: RFC 6750 section 3.1.
enum class Access : std::uint8_t {
  granted,             ///< The server serves the request.
  unauthorized,        ///< The request has no token: 401.
  invalid_token,       ///< The token is unknown, has expired, or is for another server: 401.
  invalid_request,     ///< The header Authorization is malformed: 400.
  insufficient_scope,  ///< The token does not allow this: 403.
};

/// The scopes of a token: all scopes of the Definition, or the named ones. Lifetime: the owner of the names defines it.
class TokenScopes {
 public:
  /// All scopes.
  constexpr TokenScopes() = default;
  /// The scopes with these names, with a space between two, as in an OAuth token. Empty: no scopes. Names outside of
  /// Definition::scopes are ignored.
  constexpr TokenScopes(std::string_view names) : names_(names), all_(false) {}  // NOLINT(google-explicit-constructor)
  /// The scopes with these names, for a literal.
  constexpr TokenScopes(const char* names)  // NOLINT(google-explicit-constructor)
      : TokenScopes(std::string_view(names)) {}
  /// Returns whether these are all scopes.
  [[nodiscard]] constexpr bool are_all() const { return all_; }
  /// Returns the names, unless are_all().
  [[nodiscard]] constexpr std::string_view names() const { return names_; }

 private:
  std::string_view names_;
  bool all_ = true;
};

/// The decision about a request, and its sender.
struct Grant {
  Access access;  ///< The decision.
  /// The sender of a granted request. Two users never have the same principal, and one user has the same principal with
  /// each token. Only requests of the principal that began a session can use the session.
  std::uint64_t principal = 0;
  /// True if only this principal is ever granted access. Shares (Limits::reserved_for_others) then do not apply.
  bool only_principal = false;
  /// The scopes of the sender; TokenScopes() for all scopes. The default is no scopes, so an Authorizer that does not
  /// set them grants only rows without a scope. Lifetime: names are valid until the next call of the Authorizer.
  TokenScopes scopes = std::string_view();
};

/// Decides about each request, except preflight requests, which have no token. An application derives from it, or uses
/// StaticTokens or ResourceServer. Context: main loop; must not block. Source: basic/authorization, 2025-11-25.
class Authorizer {
 public:
  /// Decides about the request with this head. Lifetime: `head` is valid until the function returns.
  [[nodiscard]] Grant check(const http::RequestHead& head) { return do_check(head); }

  /// Returns true if do_check() reads the field with this name by RequestHead::find(). If a head is longer than
  /// HttpLimits::head_size, the transport drops fields that no code reads. Authorization is never dropped. `name`: in
  /// lower case, regardless of the request; at most 64 bytes, because fields with longer names are kept.
  [[nodiscard]] bool reads(std::string_view name) { return do_reads(name); }

  /// Adds WWW-Authenticate to the response to a rejected request, or nothing. Source: RFC 9110 section 11.6.1.
  void challenge(Access access, http::ResponseHead& out) { do_challenge(access, out); }

  /// Writes the public JSON document at `path`, from which clients learn how to get a token. Errors: returns false and
  /// writes nothing if there is no document at `path`.
  [[nodiscard]] bool document(std::string_view path, json::Writer& out) { return do_document(path, out); }

 protected:
  constexpr Authorizer() = default;
  ~Authorizer() = default;

 private:
  virtual Grant do_check(const http::RequestHead& head) = 0;
  virtual void do_challenge(Access access, http::ResponseHead& out) = 0;
  // By default no field is dropped, so that do_check() sees all copies of a field.
  virtual bool do_reads(std::string_view) { return true; }
  virtual bool do_document(std::string_view, json::Writer&) { return false; }
};

/// Grants requests with one of a few static tokens: `Authorization: Bearer TOKEN`. The comparison takes the same time
/// for wrong and right tokens. The principal is the position of the token in the list, counted from 1. A list of one
/// token has only one principal, so no shares apply.
class StaticTokens final : public Authorizer {
 public:
  /// Each token should have at least 128 random bits. Its characters are letters, digits and -._~+/, with = only at the
  /// end. Lifetime: `tokens` must outlive the object.
  constexpr explicit StaticTokens(std::span<const std::string_view> tokens) : tokens_(tokens) {}

 private:
  Grant do_check(const http::RequestHead& head) override;
  void do_challenge(Access access, http::ResponseHead& out) override;
  bool do_reads(std::string_view) override { return false; }

  std::span<const std::string_view> tokens_;
};

/// A token of ScopedTokens. Lifetime: the strings must outlive the ScopedTokens.
struct StaticToken {
  std::string_view token = {};  ///< The token, as in StaticTokens. An empty token grants nothing.
  TokenScopes scopes = {};      ///< The names of its scopes: "pump:read pump:write". The default is all.
  /// The user of the token, as Grant::principal. Two tokens of one user share sessions. 0 means the position of the
  /// token in the list, counted from 1. Set it for all tokens of a list or for none.
  std::uint64_t principal = 0;
};

/// Grants requests as StaticTokens, with scopes for each token. For example, one endpoint has a token to read and
/// another token to write. The scopes of the token of each message count, also in a session that began with another
/// token of its user.
class ScopedTokens final : public Authorizer {
 public:
  /// Lifetime: `tokens` must outlive the object.
  constexpr explicit ScopedTokens(std::span<const StaticToken> tokens) : tokens_(tokens) {}

 private:
  Grant do_check(const http::RequestHead& head) override;
  void do_challenge(Access access, http::ResponseHead& out) override;
  bool do_reads(std::string_view) override { return false; }

  std::span<const StaticToken> tokens_;
};

/// The options of an HTTP endpoint. Lifetime: all pointed-to objects must outlive the transport. Hosts and origins may
/// change between two polls.
struct HttpOptions {
  /// The path of the endpoint. It begins with a slash.
  std::string_view path = "/mcp";
  /// The host names of the device in requests of clients. "boiler.local" is allowed with each port and with a final
  /// dot, "boiler.local:8080" with this port only. A board with mDNS sets MdnsResponder::hosts(). Because DNS rebinding
  /// needs a name, localhost and IP addresses are always allowed. Errors: a request for another host gets 403.
  std::span<const std::string_view> hosts = {};
  /// The exact origins of web pages that may send requests, such as "https://app.example.com". Empty: only pages of
  /// this machine. Limits: at most 64 bytes each. Errors: a request from another origin gets 403.
  std::span<const std::string_view> origins = {};
  /// Decides about each request. With nullptr, each client that can connect is granted access.
  http::Option<Authorizer, http::AccessOps, http::access_ops> authorizer = {};
  /// An HttpSse2024 (`mcp/http_sse_2024.hpp`), which serves HTTP+SSE of revision 2024-11-05 to the same clients.
  /// nullptr: not served, and not linked.
  http::Option<const HttpSse2024, http::SseOps, http::sse_ops> sse_2024 = {};
  /// An HttpMetrics (`mcp/http_metrics.hpp`), which serves the figures of the server at `/metrics` to the same clients.
  /// nullptr: not served, and not linked.
  http::Option<HttpMetrics, http::MetricsOps, http::metrics_ops> metrics = {};
  /// An HttpPage (`mcp/http_page.hpp`), which serves a page for browsers, so that a person can use the device. The page
  /// needs no token, because it contains no data of the device. The checks of hosts apply to it. nullptr: not served,
  /// and not linked.
  http::Option<const HttpPage, http::PageOps, http::page_ops> page = {};
};

/// Returns a warning to print at the start if each client that reaches the device may call its tools; else an empty
/// string. The warning has no line end. `beyond_loopback`: other machines can reach the listener. Lifetime: as long as
/// the program. Source: basic/transports#security-warning, 2025-11-25.
[[nodiscard]] std::string_view exposure_warning(const HttpOptions& options, bool beyond_loopback);

namespace http {

/// True for a Host that `options` allow: localhost, an IP address, or one of HttpOptions::hosts. An IP address is an
/// IPv4address, or an IPv6address in brackets, also with a zone. A port of digits may follow.
/// Source: RFC 3986 section 3.2, RFC 6874.
[[nodiscard]] bool allows_host(const HttpOptions& options, const std::string_view& host);
/// The longest Origin in bytes. The head of each response has space for it.
inline constexpr std::size_t max_origin_size = 64;

/// True for an Origin that `options` allow. False for an Origin longer than max_origin_size.
[[nodiscard]] bool allows_origin(const HttpOptions& options, std::string_view origin);

/// Sets `token` to the token of `Authorization: Bearer TOKEN`. The case of the scheme does not matter. A token in the
/// query is ignored. Lifetime: `token` is a view into the head. Errors: `unauthorized` without a token or with another
/// scheme, `invalid_request` for a malformed token; `granted` otherwise. Source: RFC 6750 section 2.1.
[[nodiscard]] Access read_token(const RequestHead& head, std::string_view& token);

/// Adds WWW-Authenticate with the error of the token: `Bearer`, or `Bearer error="invalid_token"`. The caller may
/// append further parameters.
void begin_challenge(Access access, ResponseHead& out);

/// Returns the response to a request without access, a row of a table (http_text.hpp). Not for `granted`.
[[nodiscard]] const char* answer_of(Access access);

}  // namespace http
}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
