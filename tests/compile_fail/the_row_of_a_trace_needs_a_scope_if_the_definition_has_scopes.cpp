// SPDX-License-Identifier: Apache-2.0
// error: the_row_of_a_trace_needs_a_scope_if_the_definition_has_scopes
#include <mcp/server.hpp>
#include <mcp/trace.hpp>

constinit mcp::TraceRing<256> ring;
constexpr mcp::Resource resources[] = {mcp::trace<ring>({.uri = "mote://trace", .name = "trace"})};
constexpr std::string_view scopes[] = {"service"};
constexpr mcp::Definition definition{.name = "a", .version = "1", .resources = resources, .scopes = scopes};
constinit mcp::Storage<definition, mcp::Limits{.streams = 1}> storage;
constinit const mcp::Server server{storage};
