// SPDX-License-Identifier: Apache-2.0
// error: Limits::transmit_size is too small for a row
// and: "resources/templates/list"
// and: "a"
// and: , 513, 300)
#include <mcp/server.hpp>

#define X100 "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
mcp::Errc read(const mcp::UriVariables& variables, mcp::ReadResult& out) { return out.text(variables["a"]); }
constexpr mcp::ResourceTemplate templates[] = {
    {.uri_template = "x:{a}", .name = "a", .description = X100 X100, .read = read}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resource_templates = templates};
constexpr mcp::Limits limits{.transmit_size = 300};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
