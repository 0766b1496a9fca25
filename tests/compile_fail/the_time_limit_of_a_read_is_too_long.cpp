// SPDX-License-Identifier: Apache-2.0
// error: the time limit of a job is below 2^31 or mcp::no_time_limit
#include <mcp/server.hpp>

struct Job {
  mcp::Step step(mcp::ReadContext& context) { return context.done(); }
};
constexpr mcp::Resource resources[] = {mcp::read_job<Job, mcp::no_time_limit - 1>({.uri = "a:b", .name = "a"})};
