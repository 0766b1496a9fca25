// SPDX-License-Identifier: Apache-2.0
// error: rows_with_as_tool_need_tools_of_as_the_tools_of_the_definition
#include <mcp/server.hpp>

mcp::Errc read_celsius(mcp::ReadResult& out) { return out.number(21); }
constexpr mcp::Resource resources[] = {{.uri = "r:celsius", .name = "celsius", .read = read_celsius, .as_tool = true}};
constexpr mcp::Definition definition{.name = "thermometer", .version = "1", .resources = resources};
constinit mcp::Storage<definition, mcp::Limits{}> storage;
constinit mcp::Server server(storage);
