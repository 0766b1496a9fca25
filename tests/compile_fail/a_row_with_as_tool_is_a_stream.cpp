// SPDX-License-Identifier: Apache-2.0
// error: a_row_with_as_tool_must_have_a_read_function_that_sends_no_input_request
#include <mcp/read_tools.hpp>

mcp::Chunk read_log(std::uint32_t, std::span<std::uint8_t>) { return mcp::Chunk::end(); }
constexpr mcp::Resource resources[] = {
    {.uri = "r:log", .name = "log", .stream = mcp::text_stream(read_log), .as_tool = true}};
constexpr auto& tools = mcp::tools_of<resources>;
