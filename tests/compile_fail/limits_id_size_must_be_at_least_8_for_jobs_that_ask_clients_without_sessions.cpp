// error: limits_id_size_must_be_at_least_8_for_jobs_that_ask_clients_without_sessions
#include <mcp/server.hpp>

struct Ask {
  mcp::Step step(mcp::AskContext& context) { return context.list_roots(); }
};
class NoEntropy : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t>) override { return false; }
};
constexpr mcp::Tool tools[] = {mcp::job<Ask>({.name = "ask"})};
constexpr mcp::Definition definition{.name = "d", .version = "1", .tools = tools};
constinit mcp::Storage<mcp::Limits{.jobs = 1, .job_size = mcp::job_size(tools), .id_size = 7}> storage;
constinit NoEntropy entropy;
constinit mcp::Server server{definition, storage, {.entropy = &entropy}};
