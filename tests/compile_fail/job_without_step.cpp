// SPDX-License-Identifier: Apache-2.0
// error: a job is trivially copyable and has a member function Step step(mcp::JobContext&) or step(mcp::AskContext&)
#include <mcp/server.hpp>

struct Job {
  int state;
};
constexpr mcp::Tool tools[] = {mcp::job<Job>({.name = "a"})};
