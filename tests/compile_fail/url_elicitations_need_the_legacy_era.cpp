// SPDX-License-Identifier: Apache-2.0
// error: url_elicitations_need_the_legacy_era
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1", .eras = mcp::modern_era, .url_elicitations = true};
constexpr mcp::Limits limits{.elicitations = 1};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
