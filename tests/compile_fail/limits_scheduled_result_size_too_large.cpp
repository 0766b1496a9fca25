// SPDX-License-Identifier: Apache-2.0
// error: Limits::scheduled_result_size is 0 to 32767
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
extern mcp::Storage<definition, mcp::Limits{.scheduled_result_size = 32768}> storage;
constexpr std::size_t size = sizeof storage;
