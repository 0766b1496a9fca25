// SPDX-License-Identifier: Apache-2.0
// error: a read job has at most 65000 bytes
#include <mcp/server.hpp>

struct Job {
  char bytes[65'600];
  mcp::Step step(mcp::ReadContext& context) { return context.done(); }
};
constexpr mcp::Resource resources[] = {mcp::read_job<Job>({.uri = "a:b", .name = "a"})};
