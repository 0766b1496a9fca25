// SPDX-License-Identifier: Apache-2.0
// error: the_anchors_of_a_pattern_with_alternatives_need_a_group_as_in_begin_paren_a_bar_b_paren_end
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Arguments {
  std::string_view a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.pattern = mcp::pattern<"^a|b$">}));
