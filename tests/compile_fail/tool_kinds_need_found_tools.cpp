// SPDX-License-Identifier: Apache-2.0
// error: tool_kinds_need_found_tools
#include <mcp/server.hpp>

mcp::Errc press(mcp::Call& call) { return call.result().text("x"); }
constexpr mcp::Tool kinds[] = {mcp::tool<press>({.name = "press"})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tool_kinds = kinds};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
