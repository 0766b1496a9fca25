// SPDX-License-Identifier: Apache-2.0
// error: a_form_must_have_only_strings_numbers_booleans_choices_and_lists_of_choices
#include <mcp/server.hpp>

struct Inner {
  int x;
};
struct Outer {
  Inner inner;
};
constexpr auto inner_params = mcp::params(mcp::param<&Inner::x>("x"));
constexpr auto outer_form = mcp::params(mcp::param<&Outer::inner>("inner", {.fields = inner_params}));
struct Job {
  mcp::Step step(mcp::AskContext& context) { return context.elicit(outer_form, "What?"); }
};
