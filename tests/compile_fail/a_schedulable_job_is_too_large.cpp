// SPDX-License-Identifier: Apache-2.0
// error: a job has at most 65535 bytes
#include <mcp/schedule.hpp>

struct Fill {
  char memory[65'536];
  mcp::Step step(mcp::JobContext& context) { return context.done(); }
};
constexpr auto times = mcp::schedulable();
constexpr mcp::Tool tools[] = {mcp::job<Fill>({.name = "fill"}, times)};
