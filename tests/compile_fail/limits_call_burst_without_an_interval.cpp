// SPDX-License-Identifier: Apache-2.0
// error: Limits::call_burst and Limits::call_interval_ms are set together
#include <mcp/server.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constinit mcp::Storage<definition, mcp::Limits{.call_burst = 1}> storage;
