// SPDX-License-Identifier: Apache-2.0
// error: the_output_schema_must_be_a_json_object_of_at_most_65535_bytes
#include <mcp/pattern.hpp>
#include <mcp/server.hpp>

constexpr mcp::OutputSchema schema("[]");
