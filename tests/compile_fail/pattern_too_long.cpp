// SPDX-License-Identifier: Apache-2.0
// error: a_pattern_must_have_at_most_64_characters_after_its_repetitions
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Arguments {
  std::string_view a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.pattern = mcp::pattern<"(ab){33}">}));
