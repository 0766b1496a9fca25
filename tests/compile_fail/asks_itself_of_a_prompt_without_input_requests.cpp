// SPDX-License-Identifier: Apache-2.0
// error: asks_itself_needs_a_tool_or_prompt_that_may_request_input
#include <mcp/server.hpp>

mcp::Errc get(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().text("x"); }
constexpr mcp::Prompt prompts[] = {{.name = "a", .get = get, .asks_itself = true}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .prompts = prompts};
