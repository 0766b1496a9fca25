// SPDX-License-Identifier: Apache-2.0
// error: a_bound_or_default_value_must_be_in_the_range_of_its_type
#include <mcp/server.hpp>

struct Arguments {
  mcp::List<std::int8_t, 2> a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.items = {.maximum = 128}}));
