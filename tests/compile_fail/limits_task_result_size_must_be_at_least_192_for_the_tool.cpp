// SPDX-License-Identifier: Apache-2.0
// error: Limits::task_result_size must be at least 192 for the tool
// and: 191)
#include <mcp/server.hpp>

mcp::Errc run(mcp::Call& call) { return call.result().text("x"); }
constexpr mcp::Tool tools[] = {mcp::tool<run>({.name = "a", .task_support = mcp::TaskSupport::optional})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools};
constexpr mcp::Limits limits{.tasks = 1, .task_result_size = 191};
class Random : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t>) override { return true; }
};
constinit Random dice;
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage, {.entropy = &dice}};
