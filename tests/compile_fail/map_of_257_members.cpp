// SPDX-License-Identifier: Apache-2.0
// error: a Map holds 1 to 256 members
#include <mcp/server.hpp>

mcp::Map<int, 257> map;
