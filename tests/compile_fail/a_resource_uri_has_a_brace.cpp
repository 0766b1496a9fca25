// SPDX-License-Identifier: Apache-2.0
// error: a_resource_needs_a_uri_with_a_scheme
#include <mcp/server.hpp>

mcp::Errc read(mcp::ReadResult& out) { return out.text("x"); }
constexpr mcp::Resource resources[] = {{.uri = "a://b{c}", .name = "n", .read = read}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resources = resources};
