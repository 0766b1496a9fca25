// error: limits_resources_is_smaller_than_the_resource_table
#include <mcp/server.hpp>

mcp::Errc read(mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::Resource resources[] = {{.uri = "x:a", .name = "a", .read = read},
                                       {.uri = "x:b", .name = "b", .read = read}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resources = resources};
constexpr mcp::Limits limits{.resources = 1};
constinit mcp::Storage<limits> storage;
constinit mcp::Server server{definition, storage};
