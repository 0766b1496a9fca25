// SPDX-License-Identifier: Apache-2.0
// error: the_row_of_a_trace_must_not_have_a_read_function_or_a_stream
#include <mcp/trace.hpp>

constinit mcp::TraceRing<256> ring;
mcp::Errc read(mcp::ReadResult& out);
constexpr mcp::Resource row = mcp::trace<ring>({.uri = "mote://trace", .name = "trace", .read = read});
