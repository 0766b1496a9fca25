// SPDX-License-Identifier: Apache-2.0
// error: the_resource_must_be_an_https_uri_without_query_and_fragment
#include <mcp/http_oauth.hpp>

class Validator final : public mcp::TokenValidator {
  std::optional<mcp::AccessToken> do_validate(std::string_view, mcp::http::Method) override { return {}; }
};
constinit Validator validator;
constexpr std::string_view servers[] = {"https://login.example.com"};
constexpr std::string_view scopes[] = {"boiler"};
constexpr mcp::ProtectedResource resource{
    .resource = "http://boiler.example.com/mcp", .authorization_servers = servers, .scopes = scopes};
constexpr mcp::ResourceServer server{resource, validator};
