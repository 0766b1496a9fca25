// SPDX-License-Identifier: Apache-2.0
// error: the_template_of_a_history_needs_the_variable_since_and_may_have_until
#include <mcp/history.hpp>

mcp::Millis now();
constexpr mcp::HistoryOptions options{.now = now};
constinit mcp::History<options, 4> values;
constexpr mcp::ResourceTemplate resource_template =
    mcp::history_since<values>({.uri_template = "x:y{?until}", .name = "y"});
