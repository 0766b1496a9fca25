// SPDX-License-Identifier: Apache-2.0
// error: a List holds 1 to 65535 items
#include <mcp/server.hpp>

mcp::List<char, 65536> list;
