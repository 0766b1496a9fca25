// SPDX-License-Identifier: Apache-2.0
// error: Limits::transmit_size is too small for a row
// and: "resources/list"
// and: "a"
// and: , 495, 300)
#include <mcp/server.hpp>

#define X100 "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
mcp::Errc read(mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::Resource resources[] = {{.uri = "x:a", .name = "a", .description = X100 X100, .read = read}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resources = resources};
constexpr mcp::Limits limits{.transmit_size = 300};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
