// SPDX-License-Identifier: Apache-2.0
// error: a read job of a template is trivially copyable and has Step step(mcp::ReadContext&), Errc begin(const mcp::UriVariables&) and a FixedString uri
#include <mcp/server.hpp>

struct Job {
  mcp::Errc begin(const mcp::UriVariables&) { return mcp::Errc::ok; }
  mcp::Step step(mcp::ReadContext& context) { return context.done(); }
};
constexpr mcp::ResourceTemplate templates[] = {mcp::read_job<Job>({.uri_template = "a:{b}", .name = "a"})};
