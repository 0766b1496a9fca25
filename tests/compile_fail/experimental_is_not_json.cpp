// SPDX-License-Identifier: Apache-2.0
// error: capabilities_must_be_a_json_object_whose_members_are_objects
#include <mcp/server.hpp>

constexpr mcp::Experimental experimental = R"({"a": {})";
