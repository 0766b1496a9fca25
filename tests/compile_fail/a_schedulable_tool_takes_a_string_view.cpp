// SPDX-License-Identifier: Apache-2.0
// error: a_schedulable_tool_must_take_a_FixedString_instead_of_a_string_view
#include <mcp/schedule.hpp>

struct Inner {
  mcp::List<std::string_view, 2> texts;
};
struct Note {
  Inner inner;
};
constexpr auto inner_params = mcp::params(mcp::param<&Inner::texts>("texts"));
constexpr auto note_params =
    mcp::schedulable(mcp::params(mcp::param<&Note::inner>("inner", {.fields = inner_params})));
