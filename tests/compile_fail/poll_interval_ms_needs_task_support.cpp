// SPDX-License-Identifier: Apache-2.0
// error: poll_interval_ms_must_be_at_least_1_and_needs_task_support
#include <mcp/server.hpp>

mcp::Errc handler(mcp::Call&) { return mcp::Errc::ok; }
constexpr mcp::Tool tools[] = {mcp::tool<handler>({.name = "a", .poll_interval_ms = 500})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools};
