// SPDX-License-Identifier: Apache-2.0
// error: checks_format_needs_a_format_other_than_email
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Arguments {
  std::string_view a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.format = mcp::Format::email, .checks_format = true}));
