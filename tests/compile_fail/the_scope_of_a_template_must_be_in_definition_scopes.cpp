// SPDX-License-Identifier: Apache-2.0
// error: The scope of a row must be in Definition::scopes
// and: "read"
#include <mcp/server.hpp>

mcp::Errc read(const mcp::UriVariables&, mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::ResourceTemplate rows[] = {{.uri_template = "x:{a}", .name = "a", .read = read, .scope = "read"}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resource_templates = rows};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
