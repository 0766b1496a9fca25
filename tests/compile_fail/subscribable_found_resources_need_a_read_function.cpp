// SPDX-License-Identifier: Apache-2.0
// error: subscribable_found_resources_need_a_read_function
#include <mcp/server.hpp>

bool describe(std::uint16_t, mcp::FoundResource&) { return false; }
constexpr mcp::FoundResources rows{.numbers = 1, .describe = describe, .subscribable = true};
constexpr mcp::Definition definition{.name = "n", .version = "1", .found_resources = rows, .list_changes = true};
