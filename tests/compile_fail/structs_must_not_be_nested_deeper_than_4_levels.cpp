// SPDX-License-Identifier: Apache-2.0
// error: structs_must_not_be_nested_deeper_than_4_levels
#include <mcp/server.hpp>

struct E {
  int x;
};
constexpr auto e = mcp::params(mcp::param<&E::x>("x"));
struct D {
  E e;
};
constexpr auto d = mcp::params(mcp::param<&D::e>("e", {.fields = e}));
struct C {
  mcp::List<D, 2> d;
};
constexpr auto c = mcp::params(mcp::param<&C::d>("d", {.items = {.fields = d}}));
struct B {
  C c;
};
constexpr auto b = mcp::params(mcp::param<&B::c>("c", {.fields = c}));
struct A {
  B b;
};
constexpr auto a = mcp::params(mcp::param<&A::b>("b", {.fields = b}));
