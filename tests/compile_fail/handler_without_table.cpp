// SPDX-License-Identifier: Apache-2.0
// error: the handler of a tool without parameters must be Errc(mcp::Call&)
#include <mcp/server.hpp>

void run(mcp::Call&) {}
constexpr mcp::Tool tools[] = {mcp::tool<run>({.name = "a"})};
