// SPDX-License-Identifier: Apache-2.0
// error: the_minimum_must_not_exceed_the_maximum
#include <mcp/server.hpp>

struct Arguments {
  int a;
  int b;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.minimum = 2, .maximum = 1}));
