// SPDX-License-Identifier: Apache-2.0
// error: Limits::call_owners is 1 to 65535
#include <mcp/storage.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constinit mcp::Storage<definition, mcp::Limits{.call_burst = 1, .call_interval_ms = 1, .call_owners = 0}> storage;
