// SPDX-License-Identifier: Apache-2.0
// error: Limits::tools_in_one_page needs a transmit_size of at least
#include <mcp/server.hpp>

mcp::Errc beep(mcp::Call&) { return mcp::Errc::ok; }
constexpr mcp::Tool tools[] = {mcp::tool<beep>({.name = "beep"}), mcp::tool<beep>({.name = "beep_twice"})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools};
constexpr mcp::Limits limits{.transmit_size = 440, .tools_in_one_page = true};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
