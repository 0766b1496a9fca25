// SPDX-License-Identifier: Apache-2.0
// error: the_times_of_keep_alive_must_be_1_to_2147483647_milliseconds
#include <mcp/server.hpp>

constexpr mcp::KeepAlive keep_alive{0, 10'000};
