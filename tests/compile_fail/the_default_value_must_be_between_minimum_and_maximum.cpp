// SPDX-License-Identifier: Apache-2.0
// error: the_default_value_must_be_between_minimum_and_maximum
#include <mcp/server.hpp>

struct Arguments {
  int a;
  int b;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.minimum = 0, .maximum = 9, .default_value = 10}));
