// SPDX-License-Identifier: Apache-2.0
// error: found_resources_need_a_describe_function
#include <mcp/server.hpp>

mcp::Errc read(std::uint16_t, mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::FoundResources rows{.numbers = 1, .read = read};
constexpr mcp::Definition definition{.name = "n", .version = "1", .found_resources = rows, .list_changes = true};
