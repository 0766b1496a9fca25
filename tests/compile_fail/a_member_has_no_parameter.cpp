// SPDX-License-Identifier: Apache-2.0
// error: each_member_of_the_struct_needs_a_parameter_or_must_be_in_without
#include <mcp/server.hpp>

struct Pin {
  std::int32_t number;
  bool level;
};
constexpr auto pin_params = mcp::params(mcp::param<&Pin::number>("number"));
