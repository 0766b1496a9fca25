// SPDX-License-Identifier: Apache-2.0
// error: a_row_of_read_job_must_not_have_a_read_function_or_a_stream
#include <mcp/server.hpp>

struct Job {
  mcp::FixedString<8> uri;
  mcp::Errc begin(const mcp::UriVariables&) { return mcp::Errc::ok; }
  mcp::Step step(mcp::ReadContext& context) { return context.done(); }
};
mcp::Errc read(const mcp::UriVariables&, mcp::ReadResult& out) { return out.text(""); }
constexpr mcp::ResourceTemplate templates[] = {
    mcp::read_job<Job>({.uri_template = "a:{b}", .name = "a", .read = read})};
