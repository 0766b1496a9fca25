// SPDX-License-Identifier: Apache-2.0
// error: the_least_number_of_items_must_not_exceed_the_capacity_of_the_list
#include <mcp/server.hpp>

struct Arguments {
  mcp::List<int, 2> list;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::list>("list", {.min_items = 3}));
