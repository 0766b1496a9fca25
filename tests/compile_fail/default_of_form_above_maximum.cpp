// SPDX-License-Identifier: Apache-2.0
// error: the_default_value_must_be_between_minimum_and_maximum
#include <mcp/server.hpp>

struct Filled {
  double amount;
};
constexpr auto table = mcp::params(mcp::param<&Filled::amount>("amount", {.maximum = 10, .default_value = 10.5}));
constexpr mcp::Form form = table;
