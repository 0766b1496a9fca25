// SPDX-License-Identifier: Apache-2.0
// error: found_rows_need_1_or_more_numbers
#include <mcp/server.hpp>

bool describe(std::uint16_t, mcp::FoundResource&) { return false; }
mcp::Errc read(std::uint16_t, mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::FoundResources rows{.describe = describe, .read = read};
constexpr mcp::Definition definition{.name = "n", .version = "1", .found_resources = rows, .list_changes = true};
