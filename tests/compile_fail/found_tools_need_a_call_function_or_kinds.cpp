// SPDX-License-Identifier: Apache-2.0
// error: found_tools_need_a_call_function_or_kinds
#include <mcp/server.hpp>

bool describe(std::uint16_t, mcp::FoundTool&) { return false; }
constexpr mcp::FoundTools rows{.numbers = 1, .describe = describe};
constexpr mcp::Definition definition{.name = "n", .version = "1", .found_tools = rows, .list_changes = true};
