// SPDX-License-Identifier: Apache-2.0
// error: found_rows_need_list_changes
#include <mcp/server.hpp>

bool describe(std::uint16_t, mcp::FoundResource&) { return false; }
mcp::Errc read(std::uint16_t, mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::FoundResources rows{.numbers = 1, .describe = describe, .read = read};
constexpr mcp::Definition definition{.name = "n", .version = "1", .found_resources = rows};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
