// SPDX-License-Identifier: Apache-2.0
// error: a FixedString holds 1 to 65535 bytes
#include <mcp/server.hpp>

mcp::FixedString<0> text;
