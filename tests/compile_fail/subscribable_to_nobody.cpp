// error: a_subscribable_resource_needs_subscriptions_when_there_is_the_modern_era_alone
#include <mcp/server.hpp>

mcp::Errc read(mcp::ReadResult& out) { return out.text("x"); }
constexpr mcp::Resource resources[] = {{.uri = "x:y", .name = "n", .read = read, .subscribable = true}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .eras = mcp::modern_era, .resources = resources};
constexpr mcp::Limits limits{};
constinit mcp::Storage<limits> storage;
constinit mcp::Server server{definition, storage};
