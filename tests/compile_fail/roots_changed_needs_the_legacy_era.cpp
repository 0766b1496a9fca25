// SPDX-License-Identifier: Apache-2.0
// error: roots_changed_needs_the_legacy_era
#include <mcp/server.hpp>

void changed(mcp::SessionId) {}
constexpr mcp::Definition definition{.name = "n", .version = "1", .eras = mcp::modern_era, .roots_changed = changed};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
