// SPDX-License-Identifier: Apache-2.0
// error: the_fields_of_params_must_be_params_and_not_an_output
#include <mcp/server.hpp>

struct Inner {
  int x;
};
constexpr auto inner = mcp::output(mcp::param<&Inner::x>("x"));
struct Outer {
  Inner inner;
};
constexpr auto outer = mcp::params(mcp::param<&Outer::inner>("inner", {.fields = inner}));
