// SPDX-License-Identifier: Apache-2.0
// error: a_struct_parameter_needs_fields
#include <mcp/server.hpp>

struct Point {
  int x;
};
struct Arguments {
  Point point;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::point>("point"));
