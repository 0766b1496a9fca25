// SPDX-License-Identifier: Apache-2.0
// error: limits_subscriptions_must_be_at_least_1_for_subscriptions
#include <mcp/server.hpp>

mcp::Errc read(mcp::ReadResult& out) { return out.text("x"); }
constexpr mcp::Resource resources[] = {{.uri = "x:y", .name = "n", .read = read, .subscribable = true}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resources = resources, .subscriptions = true};
constexpr mcp::Limits limits{};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
