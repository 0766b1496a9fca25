// SPDX-License-Identifier: Apache-2.0
// error: subscriptions_need_the_modern_era_and_list_changes_or_a_subscribable_resource
#include <mcp/server.hpp>

mcp::Errc read(mcp::ReadResult& out) { return out.text("x"); }
constexpr mcp::Resource resources[] = {{.uri = "x:y", .name = "n", .read = read, .subscribable = true}};
constexpr mcp::Definition definition{
    .name = "n", .version = "1", .eras = mcp::legacy_era, .resources = resources, .subscriptions = true};
constexpr mcp::Limits limits{.subscriptions = 1};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
