// SPDX-License-Identifier: Apache-2.0
// error: Limits::scheduled_calls is 0 to 65535
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
extern mcp::Storage<definition, mcp::Limits{.scheduled_calls = 65536}> storage;
constexpr std::size_t size = sizeof storage;
