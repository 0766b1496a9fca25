// SPDX-License-Identifier: Apache-2.0
// error: the_input_schema_must_be_a_json_object_with_type_object
#include <mcp/server.hpp>

constexpr mcp::InputSchema schema("true");
