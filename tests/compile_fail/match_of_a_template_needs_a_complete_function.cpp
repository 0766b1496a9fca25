// SPDX-License-Identifier: Apache-2.0
// error: match_needs_a_complete_function
#include <mcp/server.hpp>

mcp::Errc read(const mcp::UriVariables&, mcp::ReadResult& out) { return out.text("read"); }
constexpr mcp::ResourceTemplate templates[] = {
    {.uri_template = "t://{x}", .name = "t", .read = read, .match = mcp::Match::anywhere}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resource_templates = templates};
