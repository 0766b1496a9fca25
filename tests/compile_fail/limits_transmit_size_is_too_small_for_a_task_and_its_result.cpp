// SPDX-License-Identifier: Apache-2.0
// error: Limits::transmit_size is too small for a message
// and: "a task and its result"
// and: , 1345, 1024)
#include <mcp/server.hpp>

mcp::Errc run(mcp::Call& call) { return call.result().text("x"); }
constexpr mcp::Tool tools[] = {mcp::tool<run>({.name = "a", .task_support = mcp::TaskSupport::optional})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools};
constexpr mcp::Limits limits{.transmit_size = 1024, .tasks = 1, .task_result_size = 875};
class Random : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t>) override { return true; }
};
constinit Random dice;
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage, {.entropy = &dice}};
