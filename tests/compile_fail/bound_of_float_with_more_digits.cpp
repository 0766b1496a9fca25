// SPDX-License-Identifier: Apache-2.0
// error: a_bound_or_default_value_must_not_have_more_digits_than_its_type_holds
#include <mcp/server.hpp>

struct Arguments {
  float a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.maximum = 3.141592653589793}));
