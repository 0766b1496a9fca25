// SPDX-License-Identifier: Apache-2.0
// error: the_default_value_must_be_one_of_the_choices
#include <mcp/server.hpp>

enum class Mode { off, on };
constexpr auto modes = mcp::choices<Mode>({{"off", Mode::off}});
struct Arguments {
  Mode mode;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::mode>("mode", {.choices = modes, .default_value = Mode::on}));
