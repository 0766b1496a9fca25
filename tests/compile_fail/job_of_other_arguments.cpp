// SPDX-License-Identifier: Apache-2.0
// error: the member `arguments` of a job must be the struct of its params()
#include <mcp/server.hpp>

struct Arguments {
  int x;
};
struct Job {
  int arguments;
  mcp::Step step(mcp::JobContext& context) { return context.done(); }
};
constexpr auto job_params = mcp::params(mcp::param<&Arguments::x>("x"));
constexpr mcp::Tool tools[] = {mcp::job<Job>({.name = "a"}, job_params)};
