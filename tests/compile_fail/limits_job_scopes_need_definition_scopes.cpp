// SPDX-License-Identifier: Apache-2.0
// error: limits_job_scopes_need_a_job_and_definition_scopes
#include <mcp/server.hpp>

struct Work {
  mcp::Step step(mcp::JobContext& context) { return context.done(); }
};
constexpr mcp::Tool tools[] = {mcp::job<Work>({.name = "work"})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools};
constexpr mcp::Limits limits{.jobs = 1, .job_scopes = true};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
