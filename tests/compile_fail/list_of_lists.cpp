// SPDX-License-Identifier: Apache-2.0
// error: a List of Lists cannot be a parameter: wrap the inner one in a struct, also a Map and a Nullable
#include <mcp/server.hpp>

struct Arguments {
  mcp::List<mcp::List<int, 2>, 2> a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a"));
