// SPDX-License-Identifier: Apache-2.0
// error: two_keys_of_the_meta_must_not_be_the_same
#include <mcp/server.hpp>

constexpr mcp::Meta meta = R"({"a": {"b": 1}, "b": 2, "a": 3})";
