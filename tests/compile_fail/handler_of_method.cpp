// SPDX-License-Identifier: Apache-2.0
// error: the handler of a method must be Errc(mcp::MethodCall&) or Errc(mcp::json::Value, mcp::MethodCall&)
#include <mcp/server.hpp>

mcp::Errc reset(mcp::Call&) { return mcp::Errc::ok; }
constexpr mcp::Method methods[] = {mcp::method<reset>({.name = "x-acme/reset"})};
