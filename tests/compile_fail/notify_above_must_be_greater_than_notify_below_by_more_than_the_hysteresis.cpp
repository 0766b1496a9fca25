// SPDX-License-Identifier: Apache-2.0
// error: notify_above_must_be_greater_than_notify_below_by_more_than_the_hysteresis
#include <mcp/history.hpp>

mcp::Millis now();
constexpr mcp::HistoryOptions options{.now = now, .notify_above = 30, .notify_below = 25, .hysteresis = 5};
constinit mcp::History<options, 4> values;
