// SPDX-License-Identifier: Apache-2.0
// error: limits_elicitations_must_be_at_least_1_for_url_elicitations
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1", .url_elicitations = true};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
