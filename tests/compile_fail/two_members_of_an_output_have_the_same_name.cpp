// SPDX-License-Identifier: Apache-2.0
// error: two_parameters_must_not_have_the_same_name
#include <mcp/server.hpp>

struct Reading {
  int a, b;
};
constexpr auto reading = mcp::output(mcp::param<&Reading::a>("a"), mcp::param<&Reading::b>("a"));
