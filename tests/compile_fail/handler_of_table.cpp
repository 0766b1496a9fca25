// SPDX-License-Identifier: Apache-2.0
// error: the handler of this tool must be Errc(const Arguments&, mcp::Call&) with the struct of its params()
#include <mcp/server.hpp>

mcp::Errc run(mcp::Call& call) { return call.result().text("x"); }
struct Arguments {
  int a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a"));
constexpr mcp::Tool tools[] = {mcp::tool<run>({.name = "a"}, table)};
