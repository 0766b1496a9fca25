// SPDX-License-Identifier: Apache-2.0
// error: two_prompts_must_not_have_the_same_name
#include <mcp/server.hpp>

mcp::Errc get(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().text("x"); }
constexpr mcp::Prompt prompts[] = {{.name = "a", .get = get}, {.name = "a", .get = get}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .prompts = prompts};
