// SPDX-License-Identifier: Apache-2.0
// error: a_row_of_scheduled_calls_must_have_no_read_function
#include <mcp/schedule.hpp>

mcp::Errc read(mcp::ReadResult& out) { return out.text("x"); }
constexpr mcp::Resource resources[] = {mcp::scheduled_calls({.uri = "s://c", .name = "c", .read = read})};
