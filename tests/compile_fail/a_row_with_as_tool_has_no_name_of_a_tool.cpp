// SPDX-License-Identifier: Apache-2.0
// error: a_row_with_as_tool_needs_a_name_with_a_letter_or_a_digit
#include <mcp/read_tools.hpp>

mcp::Errc read_celsius(mcp::ReadResult& out) { return out.number(21); }
constexpr mcp::Resource resources[] = {{.uri = "r:celsius", .name = "°", .read = read_celsius, .as_tool = true}};
constexpr auto& tools = mcp::tools_of<resources>;
