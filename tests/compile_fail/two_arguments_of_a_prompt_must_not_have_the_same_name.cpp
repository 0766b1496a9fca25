// SPDX-License-Identifier: Apache-2.0
// error: two_arguments_of_a_prompt_must_not_have_the_same_name
#include <mcp/server.hpp>

mcp::Errc get(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().text("x"); }
constexpr mcp::PromptArgument arguments[] = {{.name = "x"}, {.name = "y"}, {.name = "x"}};
constexpr mcp::Prompt prompts[] = {{.name = "a", .arguments = arguments, .get = get}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .prompts = prompts};
