// SPDX-License-Identifier: Apache-2.0
// error: a_bound_or_default_value_must_be_in_the_range_of_its_type
#include <mcp/server.hpp>

struct Arguments {
  float a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.default_value = 1e40}));
