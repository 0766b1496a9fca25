// SPDX-License-Identifier: Apache-2.0
// error: Limits::jobs must be at least 1 for the resource
// and: "a:b"
#include <mcp/server.hpp>

struct Job {
  mcp::Step step(mcp::ReadContext& context) { return context.done(); }
};
constexpr mcp::Resource resources[] = {mcp::read_job<Job>({.uri = "a:b", .name = "a"})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resources = resources};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
