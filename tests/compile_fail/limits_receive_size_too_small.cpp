// SPDX-License-Identifier: Apache-2.0
// error: Limits::receive_size is at least 128
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constinit mcp::Storage<definition, mcp::Limits{.receive_size = 127}> storage;
