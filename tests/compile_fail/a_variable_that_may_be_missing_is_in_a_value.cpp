// SPDX-License-Identifier: Apache-2.0
// error: a_variable_of_a_uri_template_must_not_be_followed_by_a_variable_that_begins_with_a_dot
#include <mcp/server.hpp>

mcp::Errc read(const mcp::UriVariables& variables, mcp::ReadResult& out) { return out.text(variables["a"]); }
constexpr mcp::ResourceTemplate templates[] = {{.uri_template = "x:{a}{;b}{&c}", .name = "a", .read = read}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resource_templates = templates};
