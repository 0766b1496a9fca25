// SPDX-License-Identifier: Apache-2.0
// error: an_enum_parameter_needs_choices
#include <mcp/server.hpp>

enum class Mode { off, on };
struct Arguments {
  mcp::List<Mode, 2> modes;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::modes>("modes"));
