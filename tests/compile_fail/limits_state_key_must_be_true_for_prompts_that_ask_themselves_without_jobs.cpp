// error: limits_state_key_must_be_true_for_prompts_that_ask_themselves_without_jobs
#include <mcp/server.hpp>

mcp::Errc get(const mcp::PromptArguments&, mcp::AskPromptResult& out) { return out.list_roots(); }
constexpr mcp::Prompt prompts[] = {{.name = "a", .get = get, .asks_itself = true}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .prompts = prompts};
class Random final : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t>) override { return true; }
};
constinit Random random_bytes;
class Code final : public mcp::Hmac {
  void do_start(std::span<const std::uint8_t, size>) override {}
  void do_update(std::span<const std::uint8_t>) override {}
  bool do_finish(std::span<std::uint8_t, size>) override { return true; }
};
constinit Code code;
constinit mcp::Storage<mcp::Limits{}> storage;
constinit mcp::Server server{definition, storage, {.entropy = &random_bytes, .hmac = &code}};
