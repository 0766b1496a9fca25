// SPDX-License-Identifier: Apache-2.0
// error: Limits::transmit_size is too small for a message
// and: "an error"
// and: , 200, 199)
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constexpr mcp::Limits limits{.transmit_size = 199};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
