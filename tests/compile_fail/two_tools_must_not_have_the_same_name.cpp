// SPDX-License-Identifier: Apache-2.0
// error: two_tools_must_not_have_the_same_name
#include <mcp/server.hpp>

mcp::Errc run(mcp::Call& call) { return call.result().text("x"); }
constexpr mcp::Tool tools[] = {mcp::tool<run>({.name = "a"}), mcp::tool<run>({.name = "b"}),
                               mcp::tool<run>({.name = "a"})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools};
