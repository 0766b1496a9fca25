// SPDX-License-Identifier: Apache-2.0
// error: the_size_of_a_resource_must_be_0_to_4294967295_bytes
#include <mcp/server.hpp>

constexpr mcp::ResourceExtras extras{.size = 4'294'967'296};
