// SPDX-License-Identifier: Apache-2.0
// error: an_authorization_server_must_be_an_https_uri_without_query_and_fragment
#include <mcp/http_oauth.hpp>

class Validator final : public mcp::TokenValidator {
  std::optional<mcp::AccessToken> do_validate(std::string_view, mcp::http::Method) override { return {}; }
};
constinit Validator validator;
constexpr std::string_view servers[] = {"https://login.example.com/?tenant=1"};
constexpr std::string_view scopes[] = {"boiler"};
constexpr mcp::ProtectedResource resource{
    .resource = "https://boiler.example.com/mcp", .authorization_servers = servers, .scopes = scopes};
constexpr mcp::ResourceServer server{resource, validator};
