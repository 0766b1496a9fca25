// SPDX-License-Identifier: Apache-2.0
// error: a_header_must_be_a_token_of_at_most_64_characters
#include <mcp/server.hpp>

struct Arguments {
  int a;
};
constexpr auto table = mcp::params(
    mcp::param<&Arguments::a>("a", {.header = "a1234567890123456789012345678901234567890123456789012345678901234"}));
