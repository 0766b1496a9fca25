// SPDX-License-Identifier: Apache-2.0
// error: The scope of a row must be in Definition::scopes
// and: "pump:wrote"
#include <mcp/server.hpp>

mcp::Errc start(mcp::Call& call) { return call.result().text("on"); }
constexpr mcp::Tool tools[] = {mcp::tool<start>({.name = "start", .scope = "pump:wrote"})};
constexpr std::string_view scopes[] = {"pump:write"};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools, .scopes = scopes};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
