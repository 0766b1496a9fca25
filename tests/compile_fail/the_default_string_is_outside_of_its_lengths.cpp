// SPDX-License-Identifier: Apache-2.0
// error: the_default_value_must_be_between_minimum_and_maximum
#include <mcp/server.hpp>

struct Arguments {
  std::string_view a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.max_length = 2, .default_value = "abc"}));
