// SPDX-License-Identifier: Apache-2.0
// error: Limits::transmit_size is too small for a message
// and: "the response to initialize"
// and: , 414, 413)
#include <mcp/server.hpp>

#define X100 "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
constexpr mcp::Definition definition{.name = "n", .version = "1", .instructions = X100 X100};
constexpr mcp::Limits limits{.transmit_size = 413};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage, {.boot_id = [] { return std::uint32_t{1}; }}};
