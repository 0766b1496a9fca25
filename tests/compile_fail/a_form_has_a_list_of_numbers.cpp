// SPDX-License-Identifier: Apache-2.0
// error: a_form_must_have_only_strings_numbers_booleans_choices_and_lists_of_choices
#include <mcp/server.hpp>

struct Numbers {
  mcp::List<int, 2> all;
};
constexpr auto form = mcp::params(mcp::param<&Numbers::all>("all"));
struct Job {
  mcp::Step step(mcp::AskContext& context) { return context.elicit(form, "What?"); }
};
