// SPDX-License-Identifier: Apache-2.0
// error: Limits::call_burst is 0 to 65535
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constinit mcp::Storage<definition, mcp::Limits{.call_burst = 65536, .call_interval_ms = 1}> storage;
