// SPDX-License-Identifier: Apache-2.0
// error: Limits::task_ttl_ms is below 2^31
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
extern mcp::Storage<definition, mcp::Limits{.task_ttl_ms = 0x80000000}> storage;
constexpr std::size_t size = sizeof storage;
