// SPDX-License-Identifier: Apache-2.0
// error: a_header_must_be_for_a_parameter_of_the_tool_itself
#include <mcp/server.hpp>

struct Arguments {
  mcp::List<int, 3> a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.items = {.header = "Level"}}));
