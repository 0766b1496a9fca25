// error: tools_that_ask_need_an_entropy_for_clients_without_sessions
#include <mcp/server.hpp>

struct Ask {
  mcp::Step step(mcp::AskContext& context) { return context.list_roots(); }
};
constexpr mcp::Tool tools[] = {mcp::job<Ask>({.name = "ask"})};
constexpr mcp::Definition definition{.name = "d", .version = "1", .eras = mcp::modern_era, .tools = tools};
constinit mcp::Storage<mcp::Limits{.jobs = 1, .job_size = mcp::job_size(tools)}> storage;
constinit mcp::Server server{definition, storage};
