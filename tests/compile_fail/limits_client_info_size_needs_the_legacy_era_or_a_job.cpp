// SPDX-License-Identifier: Apache-2.0
// error: limits_client_info_size_needs_the_legacy_era_or_a_job
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1", .eras = mcp::modern_era};
constexpr mcp::Limits limits{.client_info_size = 40};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
