// SPDX-License-Identifier: Apache-2.0
// error: a_resource_needs_an_authorization_server
#include <mcp/http_oauth.hpp>

class Validator final : public mcp::TokenValidator {
  std::optional<mcp::AccessToken> do_validate(std::string_view, mcp::http::Method) override { return {}; }
};
constinit Validator validator;
constexpr std::string_view scopes[] = {"boiler"};
constexpr mcp::ProtectedResource resource{
    .resource = "https://boiler.example.com/mcp", .authorization_servers = {}, .scopes = scopes};
constexpr mcp::ResourceServer server{resource, validator};
