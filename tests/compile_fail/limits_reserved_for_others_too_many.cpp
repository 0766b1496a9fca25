// SPDX-License-Identifier: Apache-2.0
// error: Limits::reserved_for_others is 0 to 65535
#include <mcp/storage.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constinit mcp::Storage<definition, mcp::Limits{.reserved_for_others = 65536}> storage;
