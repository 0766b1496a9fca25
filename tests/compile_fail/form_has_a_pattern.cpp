// SPDX-License-Identifier: Apache-2.0
// error: a_form_must_have_only_strings_numbers_booleans_choices_and_lists_of_choices
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Form {
  mcp::FixedString<4> a;
};
constexpr auto table = mcp::params(mcp::param<&Form::a>("a", {.pattern = mcp::pattern<"a">}));
constexpr mcp::Form form = table;
