// Who may talk to the server over HTTP. Knows no sockets and no MCP.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace mcp {

/// What an Authorizer says of a request.
enum class Access : std::uint8_t {
  granted,
  unauthorized,  ///< No token, or one that is invalid or expired: 401.
  forbidden,     ///< The token does not allow this: 403.
};

/// Decides about each request by its Authorization header. Source: basic/authorization, 2025-11-25.
class Authorizer {
 public:
  /// `authorization`: the value of the header, empty when there was none. Main loop, must not block.
  [[nodiscard]] Access check(std::string_view authorization) { return do_check(authorization); }

  /// The value of WWW-Authenticate for what was not granted, such as `Bearer resource_metadata="https://…"`.
  [[nodiscard]] std::string_view challenge(Access access) { return do_challenge(access); }

 protected:
  constexpr Authorizer() = default;
  ~Authorizer() = default;

 private:
  virtual Access do_check(std::string_view authorization) = 0;
  virtual std::string_view do_challenge(Access access) = 0;
};

/// Grants whoever has one of a few tokens that were agreed upon: `Authorization: Bearer TOKEN`. The comparison takes as
/// long for a wrong token as for the right one.
class StaticTokens final : public Authorizer {
 public:
  /// The tokens must outlive this. Each should have 128 random bits or more.
  constexpr explicit StaticTokens(std::span<const std::string_view> tokens) : tokens_(tokens) {}

 private:
  Access do_check(std::string_view authorization) override;
  std::string_view do_challenge(Access access) override;

  std::span<const std::string_view> tokens_;
};

namespace http {
class OlderEndpoint;
}

/// What an HTTP endpoint serves, and whom.
struct HttpOptions {
  std::string_view path = "/mcp";
  /// Hosts under which the device is reached, with a port where it is not the default one: "boiler.local:8080". Empty:
  /// names of this machine alone (localhost, 127.0.0.1, [::1], any port), against DNS rebinding.
  std::span<const std::string_view> hosts = {};
  /// Origins of web pages that may call, exactly: "https://app.example.com", 64 bytes at most. Empty: pages of this
  /// machine alone.
  std::span<const std::string_view> origins = {};
  /// nullptr: everybody who can connect.
  Authorizer* authorizer = nullptr;
  /// The transport of revision 2024-11-05 beside this one, for the same clients: an HttpSse2024
  /// (transports/http/sse_2024.hpp). nullptr: not served, and nothing of it is linked.
  const http::OlderEndpoint* sse_2024 = nullptr;
};

namespace http {

/// True for a Host that the options allow.
[[nodiscard]] bool allows_host(const HttpOptions& options, std::string_view host);
/// Longest Origin that there is room for in the head of an answer.
inline constexpr std::size_t max_origin_size = 64;

/// True for an Origin that the options allow. Never for one that is longer than max_origin_size.
[[nodiscard]] bool allows_origin(const HttpOptions& options, std::string_view origin);

}  // namespace http
}  // namespace mcp
