// SPDX-License-Identifier: Apache-2.0
// error: unique_items_need_a_list_of_integers_strings_or_choices
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Arguments {
  mcp::List<float, 2> a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.unique_items = true}));
