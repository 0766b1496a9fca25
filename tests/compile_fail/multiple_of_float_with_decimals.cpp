// SPDX-License-Identifier: Apache-2.0
// error: multiple_of_a_float_must_be_a_whole_number_or_a_binary_fraction_such_as_0_5_or_0_25
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Arguments {
  double a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.multiple_of = 0.1}));
