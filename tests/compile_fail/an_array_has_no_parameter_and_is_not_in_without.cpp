// SPDX-License-Identifier: Apache-2.0
// error: each_member_of_the_struct_needs_a_parameter_or_must_be_in_without
#include <mcp/server.hpp>

struct Pin {
  std::int32_t number;
  char text[2];
  bool level;
};
constexpr auto pin_params = mcp::params(mcp::without<&Pin::level>, mcp::param<&Pin::number>("number"));
