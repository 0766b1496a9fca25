// SPDX-License-Identifier: Apache-2.0
// error: subscriptions_must_be_true_in_the_modern_era_for_found_resources
#include <mcp/server.hpp>

bool describe(std::uint16_t, mcp::FoundResource&) { return false; }
mcp::Errc read(std::uint16_t, mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::FoundResources rows{.numbers = 1, .describe = describe, .read = read, .subscribable = true};
constexpr mcp::Definition definition{
    .name = "n", .version = "1", .eras = mcp::modern_era, .found_resources = rows, .list_changes = true};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
