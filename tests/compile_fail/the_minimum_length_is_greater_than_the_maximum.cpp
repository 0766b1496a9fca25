// SPDX-License-Identifier: Apache-2.0
// error: the_minimum_must_not_exceed_the_maximum
#include <mcp/server.hpp>

struct Arguments {
  mcp::FixedString<4> a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.min_length = 5}));
