// SPDX-License-Identifier: Apache-2.0
// error: an_interlock_needs_a_function_and_a_refusal
#include <mcp/server.hpp>

bool is_primed() { return true; }
constexpr mcp::Interlock primed{.holds = is_primed};
constexpr mcp::Interlock silent{.refusal = "No."};
mcp::Errc pump(mcp::Call& call) { return call.result().text("pumped"); }
constexpr mcp::Tool tools[] = {mcp::tool<pump>({.name = "pump", .needs = mcp::all_of<primed>})};
