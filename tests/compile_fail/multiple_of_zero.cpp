// SPDX-License-Identifier: Apache-2.0
// error: multiple_of_must_be_above_zero
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Arguments {
  int a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.multiple_of = 0}));
