// SPDX-License-Identifier: Apache-2.0
// error: a_history_needs_a_now_function
#include <mcp/history.hpp>

mcp::Millis now();
constexpr mcp::HistoryOptions options{.unit = "Cel"};
constinit mcp::History<options, 4> values;
