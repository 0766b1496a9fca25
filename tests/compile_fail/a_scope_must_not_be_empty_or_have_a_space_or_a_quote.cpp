// SPDX-License-Identifier: Apache-2.0
// error: a_scope_must_not_be_empty_or_have_a_space_or_a_quote
#include <mcp/http_oauth.hpp>

class Validator final : public mcp::TokenValidator {
  std::optional<mcp::AccessToken> do_validate(std::string_view, mcp::http::Method) override { return {}; }
};
constinit Validator validator;
constexpr std::string_view servers[] = {"https://login.example.com"};
constexpr std::string_view scopes[] = {"read set"};
constexpr mcp::ProtectedResource resource{
    .resource = "https://boiler.example.com/mcp", .authorization_servers = servers, .scopes = scopes};
constexpr mcp::ResourceServer server{resource, validator};
