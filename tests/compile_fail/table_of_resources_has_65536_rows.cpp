// SPDX-License-Identifier: Apache-2.0
// error: a table has at most 65535 rows
#include <mcp/server.hpp>

extern const mcp::Resource resources[65536];
constexpr mcp::Table<mcp::Resource> table = resources;
