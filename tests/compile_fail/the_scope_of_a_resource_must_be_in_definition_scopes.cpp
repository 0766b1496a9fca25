// SPDX-License-Identifier: Apache-2.0
// error: The scope of a row must be in Definition::scopes
// and: "read"
#include <mcp/server.hpp>

mcp::Errc read(mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::Resource resources[] = {{.uri = "x:a", .name = "a", .read = read, .scope = "read"}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resources = resources};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
