// SPDX-License-Identifier: Apache-2.0
// error: a_bool_of_a_table_must_be_true_or_false
#include <mcp/server.hpp>

struct Arguments {
  bool a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.default_value = "false"}));
