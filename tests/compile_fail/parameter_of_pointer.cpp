// SPDX-License-Identifier: Apache-2.0
// error: a parameter is an integer, float, double, bool, string_view, FixedString, enum, List, Map, Nullable or struct
#include <mcp/server.hpp>

struct Arguments {
  const char* a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a"));
