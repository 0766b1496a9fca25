// SPDX-License-Identifier: Apache-2.0
// error: two_templates_must_not_have_the_same_uri_template
#include <mcp/server.hpp>

mcp::Errc read(const mcp::UriVariables& variables, mcp::ReadResult& out) { return out.text(variables["a"]); }
constexpr mcp::ResourceTemplate templates[] = {{.uri_template = "x:{a}", .name = "a", .read = read},
                                               {.uri_template = "x:{a}", .name = "b", .read = read}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resource_templates = templates};
