// SPDX-License-Identifier: Apache-2.0
// error: found_resources_with_a_scope_need_a_read_function_or_a_scope_of_each_template
#include <mcp/server.hpp>

bool describe(std::uint16_t, mcp::FoundResource&) { return false; }
mcp::Errc read(const mcp::UriVariables&, mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::ResourceTemplate templates[] = {
    {.uri_template = "x:{a}", .name = "a", .read = read, .scope = "read"},
    {.uri_template = "y:{a}", .name = "b", .read = read},
};
constexpr mcp::FoundResources rows{.numbers = 1, .describe = describe, .scope = "read"};
constexpr std::string_view scopes[] = {"read"};
constexpr mcp::Definition definition{.name = "n",
                                     .version = "1",
                                     .resource_templates = templates,
                                     .found_resources = rows,
                                     .list_changes = true,
                                     .scopes = scopes};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
