// SPDX-License-Identifier: Apache-2.0
// error: a job is trivially copyable and has a member function Step step(mcp::JobContext&) or step(mcp::AskContext&)
#include <mcp/server.hpp>

struct Work {
  mcp::Caller caller;
  mcp::Step step(mcp::JobContext& context) { return context.done(); }
};
constexpr mcp::Tool tools[] = {mcp::job<Work>({.name = "work"})};
