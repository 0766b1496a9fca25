// SPDX-License-Identifier: Apache-2.0
// error: two_capabilities_must_not_have_the_same_key
#include <mcp/server.hpp>

constexpr mcp::Experimental experimental = R"({"a": {"b": {}}, "c": {}, "a": {}})";
