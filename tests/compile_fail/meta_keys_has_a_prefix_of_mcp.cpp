// SPDX-License-Identifier: Apache-2.0
// error: a_key_of_the_meta_must_not_have_a_prefix_reserved_for_mcp
#include <mcp/server.hpp>

constexpr mcp::ServerExtras extras{.meta_keys = R"(["io.modelcontextprotocol/logLevel"])"};
