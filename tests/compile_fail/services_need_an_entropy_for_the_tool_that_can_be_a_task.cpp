// SPDX-License-Identifier: Apache-2.0
// error: Services::entropy must be given for the tool
// and: "work"
#include <mcp/server.hpp>

mcp::Errc run(mcp::Call& call) { return call.result().text("x"); }
constexpr mcp::Tool tools[] = {mcp::tool<run>({.name = "work", .task_support = mcp::TaskSupport::optional})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools};
constexpr mcp::Limits limits{.tasks = 1};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
