// SPDX-License-Identifier: Apache-2.0
// error: The scope of a row must be in Definition::scopes
// and: "read"
#include <mcp/server.hpp>

bool describe(std::uint16_t, mcp::FoundTool&) { return false; }
mcp::Errc press(mcp::Call& call) { return call.result().text("x"); }
constexpr mcp::Tool kinds[] = {mcp::tool<press>({.name = "press", .scope = "read"})};
constexpr mcp::FoundTools rows{.numbers = 1, .describe = describe, .kinds = kinds};
constexpr mcp::Definition definition{.name = "n", .version = "1", .found_tools = rows, .list_changes = true};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
