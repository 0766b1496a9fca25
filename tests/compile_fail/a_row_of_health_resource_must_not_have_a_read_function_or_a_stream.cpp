// SPDX-License-Identifier: Apache-2.0
// error: a_row_of_health_resource_must_not_have_a_read_function_or_a_stream
#include <mcp/figures.hpp>

mcp::Errc read(mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::Resource row = mcp::health_resource({.read = read});
