// SPDX-License-Identifier: Apache-2.0
// error: found_resources_without_a_read_function_need_a_template
#include <mcp/server.hpp>

bool describe(std::uint16_t, mcp::FoundResource&) { return false; }
constexpr mcp::FoundResources rows{.numbers = 1, .describe = describe};
constexpr mcp::Definition definition{.name = "n", .version = "1", .found_resources = rows, .list_changes = true};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
