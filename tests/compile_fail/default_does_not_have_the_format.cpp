// SPDX-License-Identifier: Apache-2.0
// error: the_default_value_must_match_the_pattern_or_the_format
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Arguments {
  std::string_view a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.format = mcp::Format::ipv4, .default_value = "1.2.3", .checks_format = true}));
