// SPDX-License-Identifier: Apache-2.0
// error: a_job_with_an_interlock_or_keeps_slot_needs_a_time_limit_or_mcp_no_time_limit
#include <mcp/server.hpp>

struct Heat {
  static constexpr bool keeps_slot = true;
  mcp::Step step(mcp::JobContext& context) { return context.sleep(100); }
};
constexpr mcp::Tool forever = mcp::job<Heat, mcp::no_time_limit>({.name = "heat"});
constexpr mcp::Tool tools[] = {mcp::job<Heat>({.name = "heat_until_told"})};
