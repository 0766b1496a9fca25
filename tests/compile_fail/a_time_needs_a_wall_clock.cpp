// SPDX-License-Identifier: Apache-2.0
// error: Services::wall_clock must be given for the tool
#include <mcp/schedule.hpp>
#include <mcp/server.hpp>

constexpr auto times = mcp::schedulable_at();
mcp::Errc beep(mcp::Call& call) { return call.result().text("beeped"); }
constexpr mcp::Tool tools[] = {mcp::tool<beep>({.name = "beep"}, times)};
constexpr mcp::Definition definition{.name = "a", .version = "1", .tools = tools};
constexpr mcp::Limits limits{.scheduled_calls = 1};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage};
