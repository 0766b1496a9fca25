// SPDX-License-Identifier: Apache-2.0
// error: the_options_of_a_history_of_a_sensor_must_not_have_a_unit_or_decimals
#include <mcp/devices/lm75.hpp>
#include <mcp/devices/sensor_rows.hpp>

mcp::Millis now();
constexpr mcp::HistoryOptions options = mcp::history_options<mcp::Lm75>(0, {.now = now, .unit = "K"});
