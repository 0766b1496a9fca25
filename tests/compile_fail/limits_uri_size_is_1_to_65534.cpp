// SPDX-License-Identifier: Apache-2.0
// error: Limits::uri_size is 1 to 65534
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constexpr mcp::Limits limits{.uri_size = 0};
constinit mcp::Storage<definition, limits> storage;
