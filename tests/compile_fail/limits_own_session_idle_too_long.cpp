// SPDX-License-Identifier: Apache-2.0
// error: Limits::own_session_idle_ms is below 2^31
#include <mcp/storage.hpp>

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constinit mcp::Storage<definition, mcp::Limits{.own_session_idle_ms = 0x8000'0000}> storage;
