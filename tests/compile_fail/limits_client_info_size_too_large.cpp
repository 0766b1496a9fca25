// SPDX-License-Identifier: Apache-2.0
// error: Limits::client_info_size is 0 to 4096
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
extern mcp::Storage<definition, mcp::Limits{.client_info_size = 4097}> storage;
constexpr std::size_t size = sizeof storage;
