// SPDX-License-Identifier: Apache-2.0
// error: match_needs_a_complete_function
#include <mcp/server.hpp>

mcp::Errc say(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().text("said"); }
constexpr mcp::Prompt prompts[] = {{.name = "say", .get = say, .match = mcp::Match::anywhere}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .prompts = prompts};
