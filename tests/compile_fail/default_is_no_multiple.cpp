// SPDX-License-Identifier: Apache-2.0
// error: the_default_value_must_be_a_multiple_of_multiple_of
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Arguments {
  int a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.default_value = 7, .multiple_of = 5}));
