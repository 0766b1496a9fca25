// SPDX-License-Identifier: Apache-2.0
// error: Limits::template_subscriptions is 0 to 65535
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constexpr mcp::Limits limits{.template_subscriptions = 65536};
constinit mcp::Storage<definition, limits> storage;
