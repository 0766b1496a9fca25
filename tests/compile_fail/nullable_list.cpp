// SPDX-License-Identifier: Apache-2.0
// error: a Nullable List or Map cannot be a parameter: wrap it in a struct
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Arguments {
  mcp::Nullable<mcp::List<int, 2>> a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {}));
