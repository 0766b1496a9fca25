// SPDX-License-Identifier: Apache-2.0
// error: a_list_with_unique_items_must_have_a_capacity_of_at_most_256
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Arguments {
  mcp::List<int, 257> a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.unique_items = true}));
