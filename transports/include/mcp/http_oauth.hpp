// The public face of an OAuth 2.1 resource server: where clients get tokens for this endpoint, and which of them it
// takes. Knows no way to check a token: that is the application's.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "mcp/assert.hpp"
#include "mcp/http/request_head.hpp"
#include "mcp/http_access.hpp"
#include "mcp/uri.hpp"

namespace mcp {

// A constant that has one does not compile, and the compiler says its name; of others, the program stops here.
namespace compile_error {
[[noreturn]] inline void the_resource_must_be_an_https_uri_without_query_and_fragment() { MCP_ASSERT(false); }
[[noreturn]] inline void a_resource_needs_an_authorization_server() { MCP_ASSERT(false); }
[[noreturn]] inline void an_authorization_server_must_be_an_https_uri_without_query_and_fragment() {
  MCP_ASSERT(false);
}
[[noreturn]] inline void a_scope_must_not_be_empty_or_have_a_space_or_a_quote() { MCP_ASSERT(false); }
}  // namespace compile_error

/// What anybody may know of the endpoint. Strings live as long as it is served. Source: RFC 9728 section 2.
struct ProtectedResource {
  /// The URI of the endpoint as clients write it, and the audience of its tokens: "https://boiler.example.com/mcp".
  /// http: for this machine alone.
  std::string_view resource;
  /// Issuers of tokens, at least one: "https://login.example.com".
  std::span<const std::string_view> authorization_servers;
  /// What a token must allow, all of it: {"boiler"}. Empty: whatever it allows.
  std::span<const std::string_view> scopes = {};
  std::string_view name = {};  ///< For people. Not sent when empty.
};

namespace detail {

// What an issuer and a resource are. RFC 9728 section 1.2 and RFC 8414 section 2: https, and nothing behind the path.
constexpr bool is_issuer(std::string_view uri) {
  if (!is_uri(uri) || uri.find_first_of("?#") != std::string_view::npos) return false;
  if (uri.starts_with("https://")) return uri.size() > 8 && uri[8] != '/';
  for (const std::string_view local : {"http://localhost", "http://127.0.0.1", "http://[::1]"}) {
    if (uri.starts_with(local) && (uri.size() == local.size() || uri[local.size()] == ':' || uri[local.size()] == '/'))
      return true;
  }
  return false;
}

// RFC 6749 section 3.3.
constexpr bool is_scope(std::string_view scope) {
  for (const char c : scope) {
    if (c <= ' ' || c > '~' || c == '"' || c == '\\') return false;
  }
  return !scope.empty();
}

}  // namespace detail

/// True when a ResourceServer can be made of it. For what is not known before the program runs.
[[nodiscard]] constexpr bool is_valid(const ProtectedResource& resource) {
  bool valid = detail::is_issuer(resource.resource) && !resource.authorization_servers.empty();
  for (const std::string_view server : resource.authorization_servers) valid = valid && detail::is_issuer(server);
  for (const std::string_view scope : resource.scopes) valid = valid && detail::is_scope(scope);
  return valid;
}

/// What a TokenValidator knows of a token that is valid. Its views are read before the validator is asked again.
struct AccessToken {
  std::string_view audience;    ///< Whom it is for; several with a blank between two.
  std::string_view scopes;      ///< What it allows, with a blank between two.
  std::uint64_t principal = 0;  ///< Whose it is: Grant::principal.
};

/// How an application checks a token: its signature, its issuer, its time.
class TokenValidator {
 public:
  /// Nothing when the token is unknown, has expired, or was not issued by an authorization server of the resource.
  /// Audience and scopes are looked at by who asks. `token`: printable, valid for this call, and never longer than
  /// HttpLimits::head_size, which must have room for it and 400 bytes besides. Main loop, must not block.
  [[nodiscard]] std::optional<AccessToken> validate(std::string_view token, http::Method method) {
    return do_validate(token, method);
  }

 protected:
  constexpr TokenValidator() = default;
  ~TokenValidator() = default;

 private:
  virtual std::optional<AccessToken> do_validate(std::string_view token, http::Method method) = 0;
};

/// Grants whoever has a token that is valid, for this resource, and for all of its scopes. Tells everybody else where
/// to get one: in WWW-Authenticate, and in the metadata at /.well-known/oauth-protected-resource, which is served there
/// and with the path of the resource behind it, to clients without a token. Tokens are taken from the header alone.
/// Source: basic/authorization, 2025-11-25; RFC 9728; RFC 6750 section 3.
class ResourceServer final : public Authorizer {
 public:
  ResourceServer(const ProtectedResource&&, TokenValidator&) = delete;  // it keeps the address
  /// Both must outlive this. A resource that is a constant is checked at compile time; any other must be valid.
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
  bool do_document(std::string_view path, json::Writer& out) override;

  const ProtectedResource* resource_;
  TokenValidator* validator_;
};

}  // namespace mcp
