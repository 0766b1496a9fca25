// SPDX-License-Identifier: Apache-2.0
// error: a_job_must_take_a_FixedString_instead_of_a_string_view
#include <mcp/server.hpp>

struct Job {
  struct Arguments {
    mcp::List<std::string_view, 2> text;
  };
  Arguments arguments;
  mcp::Step step(mcp::JobContext& context) { return context.done(); }
};
constexpr auto job_params = mcp::params(mcp::param<&Job::Arguments::text>("text"));
constexpr mcp::Tool tools[] = {mcp::job<Job>({.name = "a"}, job_params)};
