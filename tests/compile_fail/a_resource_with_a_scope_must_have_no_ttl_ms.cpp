// SPDX-License-Identifier: Apache-2.0
// error: a_resource_with_a_scope_must_have_no_ttl_ms
#include <mcp/server.hpp>

mcp::Errc read(mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::Resource resources[] = {{.uri = "x:a", .name = "a", .read = read, .ttl_ms = 1, .scope = "read"}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resources = resources};
