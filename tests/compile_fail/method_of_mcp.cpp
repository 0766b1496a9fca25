// SPDX-License-Identifier: Apache-2.0
// error: a_method_name_must_not_have_a_prefix_of_mcp
#include <mcp/server.hpp>

mcp::Errc reset(mcp::MethodCall&) { return mcp::Errc::ok; }
constexpr mcp::Method methods[] = {mcp::method<reset>({.name = "tools/reset"})};
