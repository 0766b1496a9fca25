// SPDX-License-Identifier: Apache-2.0
// error: a_server_needs_the_legacy_or_the_modern_era
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1", .eras = {false, false}};
