// SPDX-License-Identifier: Apache-2.0
// error: a_pattern_must_be_in_the_subset_of_ecma_262_that_mcp_pattern_describes
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Arguments {
  std::string_view a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.pattern = mcp::pattern<"^(?=a)">}));
