// SPDX-License-Identifier: Apache-2.0
// error: a_header_must_be_for_an_integer_a_boolean_or_a_string
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Arguments {
  mcp::Nullable<int> a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.header = "A"}));
