// SPDX-License-Identifier: Apache-2.0
// error: The scope of a row must be in Definition::scopes
// and: "read"
#include <mcp/server.hpp>

bool describe(std::uint16_t, mcp::FoundResource&) { return false; }
mcp::Errc read(std::uint16_t, mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::FoundResources rows{.numbers = 1, .describe = describe, .read = read, .scope = "read"};
constexpr mcp::Definition definition{.name = "n", .version = "1", .found_resources = rows, .list_changes = true};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
