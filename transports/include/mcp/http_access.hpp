// Who may talk to the server over HTTP, and what is served. Knows no sockets and no methods of MCP.
#pragma once

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

/// What an Authorizer says of a request. Source: RFC 6750 section 3.1.
enum class Access : std::uint8_t {
  granted,
  unauthorized,        ///< No token: 401.
  invalid_token,       ///< A token that is unknown, has expired, or is for another server: 401.
  invalid_request,     ///< Nothing that could be a token: 400.
  insufficient_scope,  ///< The token does not allow this: 403.
};

/// The same, and who it is said of.
struct Grant {
  Access access;
  /// Whose request it is, for what is granted: never the same for two users, nor another one for the next token of the
  /// same user. A session is found by the requests of who began it, and by nobody else's.
  std::uint64_t principal = 0;
  /// True when no other principal is ever granted anything: shares (Limits::reserved_for_others) do not bind it.
  bool only_principal = false;
};

/// Decides about each request, but preflights, which have no token. Source: basic/authorization, 2025-11-25.
class Authorizer {
 public:
  /// Main loop, must not block. `head` is valid during this call.
  [[nodiscard]] Grant check(const http::RequestHead& head) { return do_check(head); }

  /// Adds WWW-Authenticate (RFC 9110 section 11.6.1) to the answer to what was not granted. Nothing need be added.
  void challenge(Access access, http::ResponseHead& out) { do_challenge(access, out); }

  /// Writes the JSON that anybody may read under `path`, which is not the endpoint's: how to get a token. False, and
  /// nothing is written, when there is none.
  [[nodiscard]] bool document(std::string_view path, json::Writer& out) { return do_document(path, out); }

 protected:
  constexpr Authorizer() = default;
  ~Authorizer() = default;

 private:
  virtual Grant do_check(const http::RequestHead& head) = 0;
  virtual void do_challenge(Access access, http::ResponseHead& out) = 0;
  virtual bool do_document(std::string_view, json::Writer&) { return false; }
};

/// Grants whoever has one of a few tokens that were agreed upon: `Authorization: Bearer TOKEN`. The comparison takes as
/// long for a wrong token as for the right one. The place of a token in the list, counted from 1, is the principal. A
/// list of one token has one principal, which shares with no other.
class StaticTokens final : public Authorizer {
 public:
  /// The tokens must outlive this. Each should have 128 random bits or more, and has the characters that a token may
  /// have: letters, digits and -._~+/, and = at its end.
  constexpr explicit StaticTokens(std::span<const std::string_view> tokens) : tokens_(tokens) {}

 private:
  Grant do_check(const http::RequestHead& head) override;
  void do_challenge(Access access, http::ResponseHead& out) override;

  std::span<const std::string_view> tokens_;
};

/// What an HTTP endpoint serves, and whom. What it points to must stay as long as the transport; hosts and origins may
/// change between two polls.
struct HttpOptions {
  /// Of the endpoint, from its slash on.
  std::string_view path = "/mcp";
  /// Hosts under which the device is reached, with a port where it is not the default one: "boiler.local:8080". Empty:
  /// names of this machine alone (localhost, 127.0.0.1, [::1], any port), against DNS rebinding.
  std::span<const std::string_view> hosts = {};
  /// Origins of web pages that may call, exactly: "https://app.example.com", 64 bytes at most. Empty: pages of this
  /// machine alone.
  std::span<const std::string_view> origins = {};
  /// nullptr: everybody who can connect.
  http::Option<Authorizer, http::AccessOps, http::access_ops> authorizer = {};
  /// The transport of revision 2024-11-05 beside this one, for the same clients: an HttpSse2024
  /// (transports/include/mcp/http_sse_2024.hpp). nullptr: not served, and nothing of it is linked.
  http::Option<const HttpSse2024, http::SseOps, http::sse_ops> sse_2024 = {};
};

/// What to print where a person sees it when the server starts, a sentence without a line end: that everybody who
/// reaches the device may call its tools. Empty when there is nothing to warn of. `beyond_loopback`: the listener is
/// bound to an address that other machines reach. Source: basic/transports#security-warning, 2025-11-25.
[[nodiscard]] std::string_view exposure_warning(const HttpOptions& options, bool beyond_loopback);

namespace http {

/// True for a Host that the options allow.
[[nodiscard]] bool allows_host(const HttpOptions& options, const std::string_view& host);
/// Longest Origin that there is room for in the head of an answer.
inline constexpr std::size_t max_origin_size = 64;

/// True for an Origin that the options allow. Never for one that is longer than max_origin_size.
[[nodiscard]] bool allows_origin(const HttpOptions& options, std::string_view origin);

/// The token of the head, a view into it: `Authorization: Bearer TOKEN`, whatever the case of the scheme. `granted`
/// when there is one that is well formed; `unauthorized` without one, or with another scheme. The query is never looked
/// at. Source: RFC 6750 section 2.1.
[[nodiscard]] Access read_token(const RequestHead& head, std::string_view& token);

/// Adds WWW-Authenticate with what is wrong with the token: `Bearer`, or `Bearer error="invalid_token"`. More
/// parameters may be appended.
void begin_challenge(Access access, ResponseHead& out);

/// The response without access: a row of a table (http_text.hpp). Not for `granted`.
[[nodiscard]] const char* answer_of(Access access);

}  // namespace http
}  // namespace mcp
