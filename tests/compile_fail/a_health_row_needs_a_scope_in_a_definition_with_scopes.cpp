// SPDX-License-Identifier: Apache-2.0
// error: a_health_row_needs_a_scope_in_a_definition_with_scopes
#include <mcp/figures.hpp>
#include <mcp/server.hpp>

constexpr std::string_view scopes[] = {"service"};
constexpr mcp::Resource resources[] = {mcp::health_resource()};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resources = resources, .scopes = scopes};
constinit mcp::Storage<definition> storage;
constinit const mcp::Server server{storage};
