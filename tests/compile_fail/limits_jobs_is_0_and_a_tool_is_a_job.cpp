// error: limits_jobs_is_0_and_a_tool_is_a_job
#include <mcp/server.hpp>

struct Job {
  mcp::Step step(mcp::JobContext& context) { return context.done(); }
  std::uint64_t state[4];
};
constexpr mcp::Tool tools[] = {mcp::job<Job>({.name = "a"})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools};
constexpr mcp::Limits limits{.job_size = 32};
constinit mcp::Storage<limits> storage;
constinit mcp::Server server{definition, storage};
