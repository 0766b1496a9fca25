// SPDX-License-Identifier: Apache-2.0
// error: a_unit_must_be_a_ucum_code_of_at_most_63_characters_such_as_Cel_or_m_per_s_with_a_slash
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Arguments {
  int a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.unit = "m/"}));
