// SPDX-License-Identifier: Apache-2.0
// error: prerendered needs a Definition that is not prerendered
#include <mcp/prerendered.hpp>
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constexpr auto& texts = mcp::prerendered<mcp::prerendered<definition>>;
