// SPDX-License-Identifier: Apache-2.0
// error: Limits::id_size is at most 65535
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constinit mcp::Storage<definition, mcp::Limits{.id_size = 65536}> storage;
