// SPDX-License-Identifier: Apache-2.0
// error: the names of a Map have at most 255 bytes
#include <mcp/server.hpp>

mcp::Map<int, 1, 256> map;
