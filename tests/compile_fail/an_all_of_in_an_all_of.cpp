// SPDX-License-Identifier: Apache-2.0
// error: the_parts_of_all_of_must_not_be_all_of
#include <mcp/server.hpp>

bool is_primed() { return true; }
constexpr mcp::Interlock primed{.holds = is_primed, .refusal = "Not primed."};
mcp::Errc pump(mcp::Call& call) { return call.result().text("pumped"); }
constexpr mcp::Tool tools[] = {mcp::tool<pump>({.name = "pump", .needs = mcp::all_of<mcp::all_of<primed>, primed>})};
