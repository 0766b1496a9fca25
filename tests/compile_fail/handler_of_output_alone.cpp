// SPDX-License-Identifier: Apache-2.0
// error: the handler of this tool must be Errc(Output&, mcp::Call&) with the type of its output; for an OutputSchema, Errc(mcp::Call&)
#include <mcp/server.hpp>

struct Reading {
  int value;
};
constexpr auto reading = mcp::output(mcp::param<&Reading::value>("value"));
mcp::Errc run(mcp::Call& call) { return call.result().text("x"); }
constexpr mcp::Tool tools[] = {mcp::tool<run>({.name = "a"}, reading)};
