// SPDX-License-Identifier: Apache-2.0
// error: a_parameter_needs_a_name
#include <mcp/server.hpp>

struct Arguments {
  int a;
  int b;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>(""));
