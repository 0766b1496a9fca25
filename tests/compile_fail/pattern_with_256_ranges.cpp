// SPDX-License-Identifier: Apache-2.0
// error: a_pattern_must_have_at_most_255_ranges_of_characters
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Arguments {
  std::string_view a;
};
#define EIGHT(text) text text text text text text text text
constexpr auto table =
    mcp::params(mcp::param<&Arguments::a>("a", {.pattern = mcp::pattern<"[" EIGHT(EIGHT("\\w")) "]">}));
