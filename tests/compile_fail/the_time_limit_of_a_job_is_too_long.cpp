// SPDX-License-Identifier: Apache-2.0
// error: the time limit of a job is below 2^31 or mcp::no_time_limit
#include <mcp/server.hpp>

struct Job {
  mcp::Step step(mcp::JobContext& context) { return context.again(); }
};
constexpr mcp::Tool longest = mcp::job<Job, 0x7FFF'FFFF>({.name = "longest"});
constexpr mcp::Tool too_long = mcp::job<Job, 0x8000'0000>({.name = "too_long"});
