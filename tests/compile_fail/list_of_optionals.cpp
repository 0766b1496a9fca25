// SPDX-License-Identifier: Apache-2.0
// error: the items of a List cannot be optional
#include <mcp/server.hpp>
#include <optional>

struct Arguments {
  mcp::List<std::optional<int>, 2> a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a"));
