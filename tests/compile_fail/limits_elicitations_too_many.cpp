// SPDX-License-Identifier: Apache-2.0
// error: Limits::elicitations is 0 to 65535
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
extern mcp::Storage<definition, mcp::Limits{.elicitations = 65536}> storage;
constexpr std::size_t size = sizeof storage;
