// SPDX-License-Identifier: Apache-2.0
// error: The scope of a row must be in Definition::scopes
// and: "read"
#include <mcp/server.hpp>

bool describe(std::uint16_t, mcp::FoundTool&) { return false; }
mcp::Errc call(std::uint16_t, mcp::json::Value, mcp::Call& out) { return out.fail("no"); }
constexpr mcp::FoundTools rows{.numbers = 1, .describe = describe, .call = call, .scope = "read"};
constexpr mcp::Definition definition{.name = "n", .version = "1", .found_tools = rows, .list_changes = true};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
