// SPDX-License-Identifier: Apache-2.0
// error: deleted
#include <mcp/http_oauth.hpp>

class Validator final : public mcp::TokenValidator {
  std::optional<mcp::AccessToken> do_validate(std::string_view, mcp::http::Method) override { return {}; }
};
constinit Validator validator;
constexpr std::string_view servers[] = {"https://login.example.com"};
mcp::ResourceServer server{{.resource = "https://boiler.example.com/mcp", .authorization_servers = servers}, validator};
