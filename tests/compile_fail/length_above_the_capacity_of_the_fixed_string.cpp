// SPDX-License-Identifier: Apache-2.0
// error: the_maximum_length_must_not_exceed_the_capacity_of_the_fixed_string
#include <mcp/server.hpp>

struct Arguments {
  mcp::FixedString<8> a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.max_length = 9}));
