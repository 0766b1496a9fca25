// SPDX-License-Identifier: Apache-2.0
// error: a_string_must_have_a_pattern_or_a_checked_format_and_not_both
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Arguments {
  std::string_view a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.format = mcp::Format::date, .pattern = mcp::pattern<"^2">, .checks_format = true}));
