// SPDX-License-Identifier: Apache-2.0
// error: each_member_of_the_struct_needs_a_parameter_or_must_be_in_without
#include <mcp/server.hpp>

struct Position {
  float x;
  float y;
};
struct Move {
  Position to;
};
constexpr auto position_params = mcp::params(mcp::param<&Position::x>("x"));
constexpr auto move_params = mcp::params(mcp::param<&Move::to>("to", {.fields = position_params}));
