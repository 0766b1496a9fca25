// SPDX-License-Identifier: Apache-2.0
// error: a tool whose params() are in with_dry_run() has a preview function: tool<handler, preview>
#include <mcp/call_options.hpp>

constexpr auto dry_run = mcp::with_dry_run();
mcp::Errc flush(mcp::Call& call) { return call.result().text("flushed"); }
constexpr mcp::Tool tools[] = {mcp::tool<flush>({.name = "flush"}, dry_run)};
