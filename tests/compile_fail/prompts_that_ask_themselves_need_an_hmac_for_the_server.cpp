// error: prompts_that_ask_themselves_need_an_hmac_for_the_server
#include <mcp/server.hpp>

mcp::Errc get(const mcp::PromptArguments&, mcp::AskPromptResult& out) { return out.list_roots(); }
constexpr mcp::Prompt prompts[] = {{.name = "a", .get = get, .asks_itself = true}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .prompts = prompts};
constinit mcp::Storage<mcp::Limits{}> storage;
constinit mcp::Server server{definition, storage};
