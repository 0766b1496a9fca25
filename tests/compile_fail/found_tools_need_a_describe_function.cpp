// SPDX-License-Identifier: Apache-2.0
// error: found_tools_need_a_describe_function
#include <mcp/server.hpp>

mcp::Errc call_found(std::uint16_t, mcp::json::Value, mcp::Call& call) { return call.result().text("x"); }
constexpr mcp::FoundTools rows{.numbers = 1, .call = call_found};
constexpr mcp::Definition definition{.name = "n", .version = "1", .found_tools = rows, .list_changes = true};
