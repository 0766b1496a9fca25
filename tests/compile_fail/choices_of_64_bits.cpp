// SPDX-License-Identifier: Apache-2.0
// error: choices are for enums of at most 32 bits
#include <mcp/server.hpp>

enum class Big : long long { a };
constexpr auto bigs = mcp::choices<Big>({{"a", Big::a}});
