// SPDX-License-Identifier: Apache-2.0
// error: a_bound_or_default_value_of_an_integer_must_not_have_a_fraction
#include <mcp/server.hpp>

struct Arguments {
  std::uint64_t a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.default_value = 1e-300}));
