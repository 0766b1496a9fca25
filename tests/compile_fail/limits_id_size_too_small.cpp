// SPDX-License-Identifier: Apache-2.0
// error: Limits::id_size is at least 3
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constinit mcp::Storage<definition, mcp::Limits{.id_size = 2}> storage;
