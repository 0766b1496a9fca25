// error: prompts_that_ask_themselves_need_an_hmac_for_the_server
#include <mcp/server.hpp>

mcp::Errc get(const mcp::PromptArguments&, mcp::AskPromptResult& out) { return out.list_roots(); }
constexpr mcp::Prompt prompts[] = {{.name = "a", .get = get, .asks_itself = true}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .prompts = prompts};
class Random final : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t>) override { return true; }
};
constinit Random random_bytes;
constinit mcp::Storage<mcp::Limits{}> storage;
constinit mcp::Server server{definition, storage, {.entropy = &random_bytes}};
