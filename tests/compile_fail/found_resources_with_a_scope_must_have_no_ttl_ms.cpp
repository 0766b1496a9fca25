// SPDX-License-Identifier: Apache-2.0
// error: found_resources_with_a_scope_must_have_no_ttl_ms
#include <mcp/server.hpp>

bool describe(std::uint16_t, mcp::FoundResource&) { return false; }
mcp::Errc read(std::uint16_t, mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::FoundResources rows{.numbers = 1, .describe = describe, .read = read, .ttl_ms = 1, .scope = "read"};
constexpr mcp::Definition definition{.name = "n", .version = "1", .found_resources = rows, .list_changes = true};
