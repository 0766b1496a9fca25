// SPDX-License-Identifier: Apache-2.0
// error: a_history_must_hold_1_to_65535_values
#include <mcp/history.hpp>

mcp::Millis now();
constexpr mcp::HistoryOptions options{.now = now};
constinit mcp::History<options, 65'536> values;
