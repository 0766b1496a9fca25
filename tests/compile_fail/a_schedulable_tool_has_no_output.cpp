// SPDX-License-Identifier: Apache-2.0
// error: a schedulable tool has no output
#include <mcp/schedule.hpp>

struct Level {
  std::int32_t level;
};
constexpr auto level_output = mcp::output(mcp::param<&Level::level>("level"));
constexpr auto times = mcp::with_dry_run(mcp::schedulable());
mcp::Errc fill(Level&, mcp::Call&) { return mcp::Errc::ok; }
constexpr mcp::Tool tools[] = {mcp::tool<fill, fill>({.name = "fill"}, times, level_output)};
