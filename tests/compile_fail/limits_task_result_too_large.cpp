// SPDX-License-Identifier: Apache-2.0
// error: Limits::task_result_size is 0 to 65535
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constinit mcp::Storage<definition, mcp::Limits{.tasks = 1, .task_result_size = 65536}> storage;
