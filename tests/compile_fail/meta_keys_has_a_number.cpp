// SPDX-License-Identifier: Apache-2.0
// error: the_meta_keys_must_be_a_json_array_of_strings
#include <mcp/server.hpp>

constexpr mcp::ServerExtras extras{.meta_keys = R"(["com.example/room", 1])"};
