// SPDX-License-Identifier: Apache-2.0
// error: the_fields_of_an_output_must_be_an_output_and_not_params
#include <mcp/server.hpp>

struct Inner {
  int x;
};
constexpr auto inner = mcp::params(mcp::param<&Inner::x>("x"));
struct Outer {
  int a;
  mcp::List<Inner, 2> inners;
};
constexpr auto outer =
    mcp::output(mcp::param<&Outer::a>("a"), mcp::param<&Outer::inners>("inners", {.items = {.fields = inner}}));
