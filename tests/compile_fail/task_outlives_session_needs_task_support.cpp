// SPDX-License-Identifier: Apache-2.0
// error: task_outlives_session_needs_task_support
#include <mcp/server.hpp>

mcp::Errc handler(mcp::Call&) { return mcp::Errc::ok; }
constexpr mcp::Tool tools[] = {mcp::tool<handler>({.name = "a", .task_outlives_session = true})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools};
