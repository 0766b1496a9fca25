// SPDX-License-Identifier: Apache-2.0
// error: a_row_of_ask_read_must_not_have_a_read_function_or_a_stream
#include <mcp/server.hpp>

mcp::Errc ask(mcp::AskReadResult& out) { return out.text(""); }
mcp::Errc read(mcp::ReadResult& out) { return out.text(""); }
constexpr mcp::Resource resources[] = {mcp::ask_read<ask>({.uri = "a:b", .name = "a", .read = read})};
