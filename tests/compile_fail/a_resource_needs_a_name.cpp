// SPDX-License-Identifier: Apache-2.0
// error: a_resource_needs_a_name
#include <mcp/server.hpp>

mcp::Errc read(mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::Resource resources[] = {{.uri = "x:a", .read = read}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resources = resources};
