// SPDX-License-Identifier: Apache-2.0
// error: two_choices_must_not_have_the_same_value
#include <mcp/server.hpp>

enum class Mode { off, on, dimmed };
constexpr auto modes = mcp::choices<Mode>({{"off", Mode::off}, {"on", Mode::on}, {"none", Mode::off}});
