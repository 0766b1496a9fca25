// SPDX-License-Identifier: Apache-2.0
// error: a_tool_name_must_have_1_to_128_of_the_characters_A_to_Z_a_to_z_0_to_9_underscore_hyphen_dot
#include <mcp/server.hpp>

mcp::Errc run(mcp::Call& call) { return call.result().text("x"); }
constexpr mcp::Tool tools[] = {mcp::tool<run>({.name = ""})};
