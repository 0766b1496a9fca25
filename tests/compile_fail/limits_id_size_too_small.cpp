// SPDX-License-Identifier: Apache-2.0
// error: Limits::id_size must have room for a short id
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constinit mcp::Storage<definition, mcp::Limits{.id_size = 2}> storage;
