// SPDX-License-Identifier: Apache-2.0
// error: a_literal_between_two_variables_of_a_uri_template_needs_a_reserved_character_other_than_their_separator
#include <mcp/server.hpp>

mcp::Errc read(const mcp::UriVariables& variables, mcp::ReadResult& out) { return out.text(variables["a"]); }
constexpr mcp::ResourceTemplate templates[] = {{.uri_template = "x:{a}\u00e9{b}", .name = "a", .read = read}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resource_templates = templates};
