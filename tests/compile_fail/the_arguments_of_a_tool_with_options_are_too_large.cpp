// SPDX-License-Identifier: Apache-2.0
// error: the arguments of a tool with options have at most 65535 bytes
#include <mcp/schedule.hpp>

struct Fill {
  std::int32_t level;
  char memory[65'536];
};
constexpr auto params = mcp::schedulable(mcp::params(mcp::without<&Fill::memory>, mcp::param<&Fill::level>("level")));
mcp::Errc fill(const Fill&, mcp::Call&) { return mcp::Errc::ok; }
constexpr mcp::Tool tools[] = {mcp::tool<fill>({.name = "fill"}, params)};
