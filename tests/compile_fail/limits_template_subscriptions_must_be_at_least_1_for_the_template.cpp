// SPDX-License-Identifier: Apache-2.0
// error: Limits::template_subscriptions must be at least 1 for the template
// and: "pin://{pin}"
#include <mcp/server.hpp>

mcp::Errc read(const mcp::UriVariables&, mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::ResourceTemplate templates[] = {
    {.uri_template = "pin://{pin}", .name = "pin", .read = read, .subscribable = true}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resource_templates = templates};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
