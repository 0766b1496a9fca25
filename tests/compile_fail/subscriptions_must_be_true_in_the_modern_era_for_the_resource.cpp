// SPDX-License-Identifier: Apache-2.0
// error: Definition::subscriptions must be true in the modern era for the resource
// and: "x:y"
#include <mcp/server.hpp>

mcp::Errc read(mcp::ReadResult& out) { return out.text("x"); }
constexpr mcp::Resource resources[] = {{.uri = "x:y", .name = "n", .read = read, .subscribable = true}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .eras = mcp::modern_era, .resources = resources};
constexpr mcp::Limits limits{};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
