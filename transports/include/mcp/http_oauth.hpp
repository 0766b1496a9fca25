// SPDX-License-Identifier: Apache-2.0
/// @file
/// An OAuth 2.1 resource server. It publishes where clients get tokens, and checks the audience and the scopes of
/// tokens. The application checks the signature of a token.
/// @code
/// constexpr std::string_view issuers[] = {"https://login.example.com"};
/// constexpr mcp::ProtectedResource boiler{.resource = "https://boiler.example/mcp", .authorization_servers = issuers};
/// mcp::Authorizer& authorizer(mcp::TokenValidator& validator) {
///   static mcp::ResourceServer server{boiler, validator};
///   return server;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "mcp/assert.hpp"
#include "mcp/http/request_head.hpp"
#include "mcp/http_access.hpp"
#include "mcp/scopes.hpp"
#include "mcp/uri.hpp"

namespace mcp {

// An invalid constant does not compile, and the compiler names the function. Other objects assert here.
namespace compile_error {
[[noreturn]] inline void the_resource_must_be_an_https_uri_without_query_and_fragment() { MCP_ASSERT(false); }
[[noreturn]] inline void a_resource_needs_an_authorization_server() { MCP_ASSERT(false); }
[[noreturn]] inline void an_authorization_server_must_be_an_https_uri_without_query_and_fragment() {
  MCP_ASSERT(false);
}
[[noreturn]] inline void a_scope_must_not_be_empty_or_have_a_space_or_a_quote() { MCP_ASSERT(false); }
}  // namespace compile_error

/// The public metadata of the endpoint. Lifetime: the strings must outlive the ResourceServer.
/// Source: RFC 9728 section 2.
struct ProtectedResource {
  /// The URI of the endpoint as clients write it, and the audience of its tokens: "https://boiler.example.com/mcp".
  /// `http:` is for this machine only.
  std::string_view resource;
  /// The issuers of tokens, at least one: "https://login.example.com".
  std::span<const std::string_view> authorization_servers;
  /// The required scopes of a token, such as {"boiler"}. A token needs all of them. Empty: no scope is required.
  std::span<const std::string_view> scopes = {};
  std::string_view name = {};  ///< The display name. Not sent if empty.
};

namespace detail {

// True for a valid issuer or resource: https, and nothing after the path. Source: RFC 9728 section 1.2, RFC 8414
// section 2.
constexpr bool is_issuer(std::string_view uri) {
  if (!is_uri(uri) || uri.find_first_of("?#") != std::string_view::npos) return false;
  if (uri.starts_with("https://")) return uri.size() > 8 && uri[8] != '/';
  for (const std::string_view local : {"http://localhost", "http://127.0.0.1", "http://[::1]"}) {
    if (uri.starts_with(local) && (uri.size() == local.size() || uri[local.size()] == ':' || uri[local.size()] == '/'))
      return true;
  }
  return false;
}

}  // namespace detail

/// Returns whether a ResourceServer can use `resource`, for metadata that is set at run time.
[[nodiscard]] constexpr bool is_valid(const ProtectedResource& resource) {
  bool valid = detail::is_issuer(resource.resource) && !resource.authorization_servers.empty();
  for (const std::string_view server : resource.authorization_servers) valid = valid && detail::is_issuer(server);
  for (const std::string_view scope : resource.scopes) valid = valid && detail::is_scope(scope);
  return valid;
}

/// A valid token. Lifetime: the views are valid until the next call of the TokenValidator.
struct AccessToken {
  std::string_view audience;    ///< The audience; several audiences with a space between two.
  std::string_view scopes;      ///< The scopes, with a space between two.
  std::uint64_t principal = 0;  ///< The user of the token, as Grant::principal.
};

/// Checks the signature, the issuer and the time of a token. An application derives from it.
class TokenValidator {
 public:
  /// Returns the contents of a token. Returns nothing if the token is unknown, has expired, or is from another issuer.
  /// The caller checks audience and scopes. `token` has only printable characters.
  /// Lifetime: `token` is valid until the function returns. Limits: HttpLimits::head_size must have space for the token
  /// and 400 bytes more. Context: main loop; must not block.
  [[nodiscard]] std::optional<AccessToken> validate(std::string_view token, http::Method method) {
    return do_validate(token, method);
  }

 protected:
  constexpr TokenValidator() = default;
  ~TokenValidator() = default;

 private:
  virtual std::optional<AccessToken> do_validate(std::string_view token, http::Method method) = 0;
};

/// Grants requests with a valid token for this resource that has all scopes. Other clients learn from WWW-Authenticate
/// and the metadata where to get a token. The metadata is at `/.well-known/oauth-protected-resource`, also with the
/// path of the resource after it. Reading it needs no token. The server reads tokens only from the header.
/// Source: basic/authorization, 2025-11-25; RFC 9728; RFC 6750 section 3.
class ResourceServer final : public Authorizer {
 public:
  ResourceServer(const ProtectedResource&&, TokenValidator&) = delete;  // the object keeps the address
  /// Lifetime: both must outlive the object. Errors: an invalid constant does not compile. Any other invalid resource
  /// asserts; see is_valid().
  constexpr ResourceServer(const ProtectedResource& resource, TokenValidator& validator)
      : resource_(&resource), validator_(&validator) {
    if (!detail::is_issuer(resource.resource)) {
      compile_error::the_resource_must_be_an_https_uri_without_query_and_fragment();
    }
    if (resource.authorization_servers.empty()) compile_error::a_resource_needs_an_authorization_server();
    for (const std::string_view server : resource.authorization_servers) {
      if (!detail::is_issuer(server)) {
        compile_error::an_authorization_server_must_be_an_https_uri_without_query_and_fragment();
      }
    }
    for (const std::string_view scope : resource.scopes) {
      if (!detail::is_scope(scope)) compile_error::a_scope_must_not_be_empty_or_have_a_space_or_a_quote();
    }
  }

 private:
  Grant do_check(const http::RequestHead& head) override;
  void do_challenge(Access access, http::ResponseHead& out) override;
  bool do_reads(std::string_view) override { return false; }
  bool do_document(std::string_view path, json::Writer& out) override;

  const ProtectedResource* resource_;
  TokenValidator* validator_;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
