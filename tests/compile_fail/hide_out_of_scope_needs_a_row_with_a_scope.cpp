// SPDX-License-Identifier: Apache-2.0
// error: hide_out_of_scope_needs_a_row_with_a_scope
#include <mcp/server.hpp>

mcp::Errc start(mcp::Call& call) { return call.result().text("on"); }
constexpr mcp::Tool tools[] = {mcp::tool<start>({.name = "start"})};
constexpr std::string_view scopes[] = {"read"};
constexpr mcp::Definition definition{
    .name = "n", .version = "1", .tools = tools, .scopes = scopes, .hide_out_of_scope = true};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
