// SPDX-License-Identifier: Apache-2.0
// error: a_key_of_the_meta_must_be_a_name_with_a_prefix_as_in_com_example_slash_name
#include <mcp/server.hpp>

constexpr mcp::ServerExtras extras{.meta_keys = R"(["com..example/room"])"};
