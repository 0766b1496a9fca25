// SPDX-License-Identifier: Apache-2.0
// error: a_member_in_without_must_not_be_a_parameter_or_there_twice
#include <mcp/server.hpp>

struct Pin {
  std::int32_t number;
  bool level;
};
constexpr auto pin_params = mcp::params(mcp::without<&Pin::level, &Pin::level>, mcp::param<&Pin::number>("number"));
