// SPDX-License-Identifier: Apache-2.0
// error: the handler of this method must be Errc(Output&, mcp::MethodCall&) with the struct of its output()
#include <mcp/server.hpp>

struct S {
  int a;
};
mcp::Errc reset(mcp::MethodCall&) { return mcp::Errc::ok; }
constexpr auto table = mcp::output(mcp::param<&S::a>("a"));
constexpr mcp::Method methods[] = {mcp::method<reset>({.name = "x-acme/reset"}, table)};
