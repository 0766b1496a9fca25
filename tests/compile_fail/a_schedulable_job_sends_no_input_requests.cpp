// SPDX-License-Identifier: Apache-2.0
// error: a schedulable job sends no input requests
#include <mcp/schedule.hpp>

struct Ask {
  mcp::Step step(mcp::AskContext& context) { return context.list_roots(); }
};
constexpr auto times = mcp::schedulable();
constexpr mcp::Tool tools[] = {mcp::job<Ask>({.name = "ask"}, times)};
