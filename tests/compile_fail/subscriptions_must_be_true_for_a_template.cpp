// SPDX-License-Identifier: Apache-2.0
// error: Definition::subscriptions must be true in the modern era for the resource
// and: "pin://{pin}"
#include <mcp/server.hpp>

mcp::Errc read(const mcp::UriVariables&, mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::ResourceTemplate templates[] = {
    {.uri_template = "pin://{pin}", .name = "pin", .read = read, .subscribable = true}};
constexpr mcp::Definition definition{
    .name = "n", .version = "1", .eras = mcp::modern_era, .resource_templates = templates};
constexpr mcp::Limits limits{.template_subscriptions = 1};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
