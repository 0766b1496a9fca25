// SPDX-License-Identifier: Apache-2.0
// error: the_default_value_must_match_the_pattern_or_the_format
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Arguments {
  std::string_view a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.default_value = "b", .pattern = mcp::pattern<"^a$">}));
