// SPDX-License-Identifier: Apache-2.0
// error: a_uri_template_must_have_expressions_that_can_be_matched_back
#include <mcp/server.hpp>

mcp::Errc read(const mcp::UriVariables& variables, mcp::ReadResult& out) { return out.text(variables["a"]); }
constexpr mcp::ResourceTemplate templates[] = {{.uri_template = "x:{a}{b}", .name = "a", .read = read}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resource_templates = templates};
