// SPDX-License-Identifier: Apache-2.0
// error: asks_itself_needs_a_tool_or_prompt_that_may_request_input
#include <mcp/server.hpp>

struct Job {
  mcp::Step step(mcp::JobContext& context) { return context.done(); }
};
constexpr mcp::Tool tools[] = {mcp::job<Job>({.name = "a", .asks_itself = true})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools};
