// SPDX-License-Identifier: Apache-2.0
// error: Limits::jobs must be at least 1 for the tool
// and: "work"
#include <mcp/server.hpp>

struct Job {
  mcp::Step step(mcp::JobContext& context) { return context.done(); }
  std::uint64_t state[4];
};
constexpr mcp::Tool tools[] = {mcp::job<Job>({.name = "work"})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools};
constexpr mcp::Limits limits{};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
