// SPDX-License-Identifier: Apache-2.0
// error: the_name_of_a_choice_must_not_be_empty
#include <mcp/server.hpp>

enum class Mode { off, on, dimmed };
constexpr auto modes = mcp::choices<Mode>({{"off", Mode::off}, {"", Mode::on}});
