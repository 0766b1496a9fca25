// SPDX-License-Identifier: Apache-2.0
// error: the_default_value_must_fit_the_fixed_string
#include <mcp/server.hpp>

struct Arguments {
  mcp::FixedString<4> a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.default_value = "12345"}));
