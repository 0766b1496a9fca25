// SPDX-License-Identifier: Apache-2.0
// error: The scope of a row must be in Definition::scopes
// and: "read"
#include <mcp/server.hpp>

mcp::Errc get(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().text("a"); }
constexpr mcp::Prompt prompts[] = {{.name = "a", .get = get, .scope = "read"}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .prompts = prompts};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
