// SPDX-License-Identifier: Apache-2.0
// error: a_job_with_an_interlock_or_keeps_slot_needs_a_time_limit_or_mcp_no_time_limit
#include <mcp/server.hpp>

bool is_closed() { return true; }
constexpr mcp::Interlock lid_closed{.holds = is_closed, .refusal = "The lid is open."};

struct Stir {
  mcp::Step step(mcp::JobContext& context) { return context.sleep(100); }
};
constexpr mcp::Tool tools[] = {mcp::job<Stir>({.name = "stir", .needs = lid_closed})};
