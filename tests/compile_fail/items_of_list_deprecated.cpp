// SPDX-License-Identifier: Apache-2.0
// error: the_items_of_a_list_must_not_be_deprecated
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Arguments {
  mcp::List<int, 2> a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.items = {.deprecated = true}}));
