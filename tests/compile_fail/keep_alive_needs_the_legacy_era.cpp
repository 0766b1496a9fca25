// SPDX-License-Identifier: Apache-2.0
// error: keep_alive_needs_the_legacy_era
#include <mcp/server.hpp>

constexpr mcp::Definition definition{
    .name = "n", .version = "1", .eras = mcp::modern_era, .keep_alive = {30'000, 10'000}};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
