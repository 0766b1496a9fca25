// SPDX-License-Identifier: Apache-2.0
// error: the handler of a tool with an InputSchema must be Errc(mcp::json::Value, mcp::Call&)
#include <mcp/server.hpp>

mcp::Errc run(mcp::Call& call) { return call.result().text("x"); }
constexpr mcp::Tool tools[] = {mcp::tool<run>({.name = "a"}, mcp::InputSchema(R"({"type":"object"})"))};
