// SPDX-License-Identifier: Apache-2.0
// error: a_job_must_take_a_FixedString_instead_of_a_string_view
#include <mcp/server.hpp>

struct Variables {
  std::string_view b;
};
constexpr auto table = mcp::params(mcp::param<&Variables::b>("b"));
struct Job {
  mcp::FixedString<8> uri;
  Variables variables;
  mcp::Step step(mcp::ReadContext& context) { return context.done(); }
};
constexpr mcp::ResourceTemplate templates[] = {mcp::read_job<Job, table>({.uri_template = "a:{b}", .name = "a"})};
