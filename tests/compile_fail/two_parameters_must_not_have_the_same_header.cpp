// SPDX-License-Identifier: Apache-2.0
// error: two_parameters_must_not_have_the_same_header
#include <mcp/server.hpp>

struct Arguments {
  int a;
  int b;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.header = "Level"}),
                                   mcp::param<&Arguments::b>("b", {.header = "LEVEL"}));
