// SPDX-License-Identifier: Apache-2.0
// error: Limits::transmit_size is too small for a message
// and: the update of a template instance
#include <mcp/server.hpp>

mcp::Errc read(const mcp::UriVariables&, mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::ResourceTemplate templates[] = {
    {.uri_template = "pin://{pin}", .name = "pin", .read = read, .subscribable = true}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resource_templates = templates};
constexpr mcp::Limits limits{.transmit_size = 1024, .template_subscriptions = 1, .uri_size = 1000};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
