// SPDX-License-Identifier: Apache-2.0
// error: a_threshold_of_a_history_must_be_one_of_its_values
#include <mcp/history.hpp>

mcp::Millis now();
constexpr mcp::HistoryOptions options{.now = now, .decimals = 9, .notify_below = -3};
constinit mcp::History<options, 4> values;
