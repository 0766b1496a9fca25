// SPDX-License-Identifier: Apache-2.0
// error: a scheduled call and its result have at most 65535 bytes
#include <mcp/schedule.hpp>
#include <mcp/server.hpp>

struct Fill {
  char memory[40'000];
  mcp::Step step(mcp::JobContext& context) { return context.done(); }
};
constexpr auto times = mcp::schedulable();
constexpr mcp::Tool tools[] = {mcp::job<Fill>({.name = "fill"}, times)};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools};
extern mcp::Storage<definition, mcp::Limits{.scheduled_calls = 1, .scheduled_result_size = 30'000}> storage;
constexpr std::size_t size = sizeof storage;
