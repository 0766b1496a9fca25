// SPDX-License-Identifier: Apache-2.0
// error: a_kind_of_found_tools_must_not_be_schedulable
#include <mcp/schedule.hpp>
#include <mcp/server.hpp>

bool describe(std::uint16_t, mcp::FoundTool&) { return false; }
mcp::Errc press(mcp::Call& call) { return call.result().text("x"); }
constexpr auto times = mcp::schedulable();
constexpr mcp::Tool kinds[] = {mcp::tool<press>({.name = "press"}, times)};
constexpr mcp::FoundTools rows{.numbers = 1, .describe = describe, .kinds = kinds};
constexpr mcp::Definition definition{.name = "n", .version = "1", .found_tools = rows, .list_changes = true};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
