// SPDX-License-Identifier: Apache-2.0
// error: ToolExtras
#include <mcp/server.hpp>

mcp::Errc get(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().text("x"); }
constexpr mcp::ToolExtras extras{};
constexpr mcp::Prompt prompts[] = {{.name = "a", .get = get, .extras = extras}};
