// SPDX-License-Identifier: Apache-2.0
// error: two_resources_must_not_have_the_same_uri
#include <mcp/server.hpp>

mcp::Errc read(mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::Resource resources[] = {{.uri = "x:a", .name = "a", .read = read},
                                       {.uri = "x:a", .name = "b", .read = read}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resources = resources};
