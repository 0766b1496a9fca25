// SPDX-License-Identifier: Apache-2.0
// error: two_methods_must_not_have_the_same_name
#include <mcp/server.hpp>

mcp::Errc reset(mcp::MethodCall&) { return mcp::Errc::ok; }
constexpr mcp::Method methods[] = {mcp::method<reset>({.name = "x-acme/reset"}),
                                   mcp::notification<reset>({.name = "x-acme/reset"})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .methods = methods};
