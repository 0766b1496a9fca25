// SPDX-License-Identifier: Apache-2.0
// error: Services::entropy and Services::hmac must be given for the prompt
// and: "asker"
#include <mcp/server.hpp>

mcp::Errc get(const mcp::PromptArguments&, mcp::AskPromptResult& out) { return out.list_roots(); }
constexpr mcp::Prompt prompts[] = {{.name = "asker", .get = get, .asks_itself = true}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .prompts = prompts};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
