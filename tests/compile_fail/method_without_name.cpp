// SPDX-License-Identifier: Apache-2.0
// error: a_method_name_needs_a_vendor_prefix_as_in_x_acme_slash_name
#include <mcp/server.hpp>

mcp::Errc reset(mcp::MethodCall&) { return mcp::Errc::ok; }
constexpr mcp::Method methods[] = {mcp::method<reset>({.name = "x-acme/"})};
