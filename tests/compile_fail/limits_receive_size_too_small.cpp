// SPDX-License-Identifier: Apache-2.0
// error: Limits::receive_size must have room for an initialize request
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constinit mcp::Storage<definition, mcp::Limits{.receive_size = 127}> storage;
