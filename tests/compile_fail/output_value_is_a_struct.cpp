// SPDX-License-Identifier: Apache-2.0
// error: the table of a struct is made by output()
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

struct Result {
  int a;
};
constexpr auto value = mcp::output_value<Result>();
