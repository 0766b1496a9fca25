// SPDX-License-Identifier: Apache-2.0
// error: Limits::transmit_size is too small for a message
// and: "the response to server/discover"
#include <mcp/server.hpp>

#define X100 "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
constexpr mcp::ServerExtras extras{.extensions = R"({"com.example/a": {"text": ")" X100 X100 R"("}})"};
constexpr mcp::Definition definition{.name = "n", .version = "1", .extras = extras};
constexpr mcp::Limits limits{.transmit_size = 450};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
