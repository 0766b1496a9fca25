// SPDX-License-Identifier: Apache-2.0
// error: a read job of a template is trivially copyable and has Step step(mcp::ReadContext&), the struct of its params() as variables and a FixedString uri
#include <mcp/server.hpp>

struct Variables {
  std::int32_t b;
};
constexpr auto table = mcp::params(mcp::param<&Variables::b>("b"));
struct Job {
  mcp::FixedString<8> uri;
  std::int32_t variables;
  mcp::Step step(mcp::ReadContext& context) { return context.done(); }
};
constexpr mcp::ResourceTemplate templates[] = {mcp::read_job<Job, table>({.uri_template = "a:{b}", .name = "a"})};
