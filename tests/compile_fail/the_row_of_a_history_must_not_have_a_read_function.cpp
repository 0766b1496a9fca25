// SPDX-License-Identifier: Apache-2.0
// error: the_row_of_a_history_must_not_have_a_read_function
#include <mcp/history.hpp>

mcp::Millis now();
constexpr mcp::HistoryOptions options{.now = now};
constinit mcp::History<options, 4> values;
mcp::Errc read(mcp::ReadResult& out) { return out.text("x"); }
constexpr mcp::Resource resource = mcp::history<values>({.uri = "x:y", .name = "y", .read = read});
