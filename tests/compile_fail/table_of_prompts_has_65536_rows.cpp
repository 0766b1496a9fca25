// SPDX-License-Identifier: Apache-2.0
// error: a table has at most 65535 rows
#include <mcp/server.hpp>

extern const mcp::Prompt rows[65536];
constexpr mcp::Table<mcp::Prompt> table = rows;
