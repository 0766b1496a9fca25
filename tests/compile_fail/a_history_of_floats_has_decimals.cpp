// SPDX-License-Identifier: Apache-2.0
// error: the_decimals_of_a_history_must_be_0_to_9_and_0_for_float
#include <mcp/history.hpp>

mcp::Millis now();
constexpr mcp::HistoryOptions options{.now = now, .decimals = 1};
constinit mcp::History<options, 4, float> values;
