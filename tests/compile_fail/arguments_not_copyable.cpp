// SPDX-License-Identifier: Apache-2.0
// error: an argument struct must be trivially copyable
#include <mcp/server.hpp>

struct Arguments {
  Arguments() = default;
  Arguments(const Arguments&) {}
  int a = 0;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a"));
