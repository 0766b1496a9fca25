// SPDX-License-Identifier: Apache-2.0
// error: a_prompt_needs_a_get_function
#include <mcp/server.hpp>

constexpr mcp::Prompt prompts[] = {{.name = "a"}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .prompts = prompts};
