// SPDX-License-Identifier: Apache-2.0
// error: Limits::transmit_size is too small for a row
// and: "tools/list"
// and: , 852, 512)
#include <mcp/prerendered.hpp>
#include <mcp/server.hpp>

mcp::Errc run(mcp::Call& call) { return call.result().text("x"); }
#define X64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
constexpr mcp::Tool tools[] = {mcp::tool<run>({.name = "a", .description = X64 X64 X64 X64 X64 X64 X64 X64})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = mcp::prerendered<tools>};
constinit mcp::Storage<mcp::prerendered<definition>, mcp::Limits{.transmit_size = 512}> storage;
constinit mcp::Server server{storage};
