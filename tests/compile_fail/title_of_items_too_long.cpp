// SPDX-License-Identifier: Apache-2.0
// error: the_title_of_the_items_of_a_list_must_have_at_most_255_bytes
#include <mcp/server.hpp>

struct Arguments {
  mcp::List<int, 2> a;
};
constexpr char too_long[257] = {};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.items = {.title = {too_long, 256}}}));
