// SPDX-License-Identifier: Apache-2.0
// error: Interlock::call_first must name a tool of the Definition, it is
#include <mcp/server.hpp>

bool is_primed() { return true; }
constexpr mcp::Interlock primed{.holds = is_primed, .refusal = "Not primed.", .call_first = "prime"};
mcp::Errc pump(mcp::Call& call) { return call.result().text("pumped"); }
constexpr mcp::Tool tools[] = {mcp::tool<pump>({.name = "pump", .needs = mcp::all_of<primed>})};
constexpr mcp::Definition definition{.name = "a", .version = "1", .tools = tools};
constinit mcp::Storage<definition> storage;
constinit const mcp::Server server{storage};
