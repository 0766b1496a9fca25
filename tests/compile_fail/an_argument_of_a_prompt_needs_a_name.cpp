// SPDX-License-Identifier: Apache-2.0
// error: a_parameter_needs_a_name
#include <mcp/server.hpp>

mcp::Errc get(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().text("x"); }
constexpr mcp::PromptArgument arguments[] = {{.required = true}};
constexpr mcp::Prompt prompts[] = {{.name = "a", .arguments = arguments, .get = get}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .prompts = prompts};
