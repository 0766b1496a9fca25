// SPDX-License-Identifier: Apache-2.0
// error: Services::entropy must be given, or Definition::eras must be legacy_era, for the tool
// and: "ask"
#include <mcp/server.hpp>

struct Ask {
  mcp::Step step(mcp::AskContext& context) { return context.list_roots(); }
};
constexpr mcp::Tool tools[] = {mcp::job<Ask>({.name = "ask"})};
constexpr mcp::Definition definition{.name = "d", .version = "1", .tools = tools};
constinit mcp::Storage<definition, mcp::Limits{.jobs = 1}> storage;
constinit mcp::Server server{storage};
