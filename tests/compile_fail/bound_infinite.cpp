// SPDX-License-Identifier: Apache-2.0
// error: a_bound_or_default_value_must_be_finite
#include <limits>
#include <mcp/server.hpp>

struct Arguments {
  double a;
};
constexpr auto table =
    mcp::params(mcp::param<&Arguments::a>("a", {.maximum = std::numeric_limits<double>::infinity()}));
