// SPDX-License-Identifier: Apache-2.0
// error: a_definition_needs_a_name_and_a_version
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n"};
constexpr mcp::Limits limits{};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
