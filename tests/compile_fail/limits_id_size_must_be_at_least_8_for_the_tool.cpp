// SPDX-License-Identifier: Apache-2.0
// error: Limits::id_size must be at least 8 for the tool
// and: "ask"
// and: , 7)
#include <mcp/server.hpp>

struct Ask {
  mcp::Step step(mcp::AskContext& context) { return context.list_roots(); }
};
class NoEntropy : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t>) override { return false; }
};
constexpr mcp::Tool tools[] = {mcp::job<Ask>({.name = "ask"})};
constexpr mcp::Definition definition{.name = "d", .version = "1", .tools = tools};
constinit mcp::Storage<definition, mcp::Limits{.jobs = 1, .id_size = 7}> storage;
constinit NoEntropy entropy;
constinit mcp::Server server{storage, {.entropy = &entropy}};
