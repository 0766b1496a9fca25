// SPDX-License-Identifier: Apache-2.0
// error: two_parameters_must_not_have_the_same_member
#include <mcp/server.hpp>

struct Arguments {
  int a;
  int b;
};
constexpr auto table =
    mcp::params(mcp::param<&Arguments::a>("a"), mcp::param<&Arguments::b>("b"), mcp::param<&Arguments::a>("c"));
