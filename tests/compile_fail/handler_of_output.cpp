// SPDX-License-Identifier: Apache-2.0
// error: the handler of this tool must be Errc(const Arguments&, Output&, mcp::Call&) with the types of its params() and its output; for an OutputSchema, Errc(const Arguments&, mcp::Call&)
#include <mcp/server.hpp>

struct Arguments {
  int a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a"));
struct Reading {
  int value;
};
constexpr auto reading = mcp::output(mcp::param<&Reading::value>("value"));
mcp::Errc run(const Arguments&, mcp::Call& call) { return call.result().text("x"); }
constexpr mcp::Tool tools[] = {mcp::tool<run>({.name = "a"}, table, reading)};
