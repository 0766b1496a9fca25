// SPDX-License-Identifier: Apache-2.0
// error: a parameter of floating point is a float or a double
#include <mcp/server.hpp>

struct Arguments {
  long double a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a"));
