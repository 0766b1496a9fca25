// SPDX-License-Identifier: Apache-2.0
// error: found_rows_need_1_or_more_numbers
#include <mcp/server.hpp>

bool describe(std::uint16_t, mcp::FoundTool&) { return false; }
mcp::Errc call_found(std::uint16_t, mcp::json::Value, mcp::Call& call) { return call.result().text("x"); }
constexpr mcp::FoundTools rows{.describe = describe, .call = call_found};
constexpr mcp::Definition definition{.name = "n", .version = "1", .found_tools = rows, .list_changes = true};
