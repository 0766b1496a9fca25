// SPDX-License-Identifier: Apache-2.0
// error: a_resource_needs_a_name
#include <mcp/server.hpp>

mcp::Errc read(const mcp::UriVariables& variables, mcp::ReadResult& out) { return out.text(variables["a"]); }
constexpr mcp::ResourceTemplate templates[] = {{.uri_template = "x:{a}", .read = read}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resource_templates = templates};
