// SPDX-License-Identifier: Apache-2.0
// error: limits_job_scopes_need_a_job_and_definition_scopes
#include <mcp/server.hpp>

mcp::Errc start(mcp::Call& call) { return call.result().text("on"); }
constexpr mcp::Tool tools[] = {mcp::tool<start>({.name = "start"})};
constexpr std::string_view scopes[] = {"read"};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools, .scopes = scopes};
constexpr mcp::Limits limits{.jobs = 1, .job_scopes = true};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
