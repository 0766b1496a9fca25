// SPDX-License-Identifier: Apache-2.0
// error: Limits::jobs must be at least 1 for the tool
// and: "work"
#include <mcp/server.hpp>

struct Job {
  mcp::Step step(mcp::JobContext& context) { return context.done(); }
  std::uint16_t row;
};
bool describe(std::uint16_t, mcp::FoundTool&) { return false; }
constexpr mcp::Tool kinds[] = {mcp::job<Job>({.name = "work"})};
constexpr mcp::FoundTools rows{.numbers = 1, .describe = describe, .kinds = kinds};
constexpr mcp::Definition definition{.name = "n", .version = "1", .found_tools = rows, .list_changes = true};
constexpr mcp::Limits limits{};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
