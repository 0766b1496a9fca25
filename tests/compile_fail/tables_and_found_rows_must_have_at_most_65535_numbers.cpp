// SPDX-License-Identifier: Apache-2.0
// error: tables_and_found_rows_must_have_at_most_65535_numbers
#include <mcp/server.hpp>

mcp::Errc read_row(mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::Resource resources[] = {{.uri = "x:a", .name = "a", .read = read_row}};
bool describe(std::uint16_t, mcp::FoundResource&) { return false; }
mcp::Errc read(std::uint16_t, mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::FoundResources rows{.numbers = 65535, .describe = describe, .read = read};
constexpr mcp::Definition definition{
    .name = "n", .version = "1", .resources = resources, .found_resources = rows, .list_changes = true};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
