// SPDX-License-Identifier: Apache-2.0
// error: Limits::transmit_size is too small for a row
// and: "tools/list"
// and: "a"
// and: , 570, 300)
#include <mcp/server.hpp>

#define X100 "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
mcp::Errc run(mcp::Call& call) { return call.result().text("x"); }
constexpr mcp::ToolExtras extras{.meta = "{\"a\":\"" X100 X100 "\"}"};
constexpr mcp::Tool tools[] = {mcp::tool<run>({.name = "a", .extras = extras})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools};
constexpr mcp::Limits limits{.transmit_size = 300};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
