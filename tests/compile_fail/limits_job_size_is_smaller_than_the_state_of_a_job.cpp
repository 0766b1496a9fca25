// error: limits_job_size_is_smaller_than_the_state_of_a_job
#include <mcp/server.hpp>

struct Job {
  mcp::Step step(mcp::JobContext& context) { return context.done(); }
  std::uint64_t state[4];
};
constexpr mcp::Tool tools[] = {mcp::job<Job>({.name = "a"})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools};
constexpr mcp::Limits limits{.jobs = 1, .job_size = 31};
constinit mcp::Storage<limits> storage;
constinit mcp::Server server{definition, storage};
