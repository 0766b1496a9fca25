// SPDX-License-Identifier: Apache-2.0
// error: limits_log_size_must_be_at_least_64_for_logging
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1", .logging = true};
constexpr mcp::Limits limits{.log_size = 63};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
