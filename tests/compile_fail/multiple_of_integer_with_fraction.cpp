// SPDX-License-Identifier: Apache-2.0
// error: a_bound_or_default_value_of_an_integer_must_not_have_a_fraction
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Arguments {
  int a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.multiple_of = 0.5}));
