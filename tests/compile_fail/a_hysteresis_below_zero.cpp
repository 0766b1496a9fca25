// SPDX-License-Identifier: Apache-2.0
// error: the_hysteresis_of_a_history_must_be_0_or_more_and_needs_a_threshold
#include <mcp/history.hpp>

mcp::Millis now();
constexpr mcp::HistoryOptions options{.now = now, .notify_above = 30, .hysteresis = -1};
constinit mcp::History<options, 4> values;
