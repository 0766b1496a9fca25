// SPDX-License-Identifier: Apache-2.0
// error: deleted
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constinit mcp::Storage<definition> storage;
mcp::Server server{mcp::Definition{.name = "n", .version = "1"}, storage.view()};
