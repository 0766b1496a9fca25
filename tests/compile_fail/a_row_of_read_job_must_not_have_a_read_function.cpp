// SPDX-License-Identifier: Apache-2.0
// error: a_row_of_read_job_must_not_have_a_read_function_or_a_stream
#include <mcp/server.hpp>

struct Job {
  mcp::Step step(mcp::ReadContext& context) { return context.done(); }
};
mcp::Errc read(mcp::ReadResult& out) { return out.text(""); }
constexpr mcp::Resource resources[] = {mcp::read_job<Job>({.uri = "a:b", .name = "a", .read = read})};
