// SPDX-License-Identifier: Apache-2.0
// error: a_header_must_be_for_a_parameter_of_the_tool_itself
#include <mcp/server.hpp>

struct Inner {
  int a;
};
struct Arguments {
  Inner inner;
};
constexpr auto inner = mcp::params(mcp::param<&Inner::a>("a", {.header = "Level"}));
constexpr auto table = mcp::params(mcp::param<&Arguments::inner>("inner", {.fields = inner}));
