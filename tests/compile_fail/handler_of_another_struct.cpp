// SPDX-License-Identifier: Apache-2.0
// error: the handler of this tool must be Errc(const Arguments&, mcp::Call&) with the struct of its params()
#include <mcp/server.hpp>

struct Arguments {
  int a;
};
struct Other {
  int a;
};
mcp::Errc run(const Other&, mcp::Call& call) { return call.result().text("x"); }
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a"));
constexpr mcp::Tool tools[] = {mcp::tool<run>({.name = "a"}, table)};
