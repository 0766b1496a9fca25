// SPDX-License-Identifier: Apache-2.0
// error: the_row_of_a_history_must_not_have_a_read_function
#include <mcp/history.hpp>

mcp::Millis now();
constexpr mcp::HistoryOptions options{.now = now};
constinit mcp::History<options, 4> values;
mcp::Errc read(const mcp::UriVariables&, mcp::ReadResult& out) { return out.text("x"); }
constexpr mcp::ResourceTemplate resource_template =
    mcp::history_since<values>({.uri_template = "x:y{?since}", .name = "y", .read = read});
