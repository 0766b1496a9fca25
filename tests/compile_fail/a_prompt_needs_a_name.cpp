// SPDX-License-Identifier: Apache-2.0
// error: a_prompt_needs_a_name
#include <mcp/server.hpp>

mcp::Errc get(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().text("x"); }
constexpr mcp::Prompt prompts[] = {{.get = get}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .prompts = prompts};
