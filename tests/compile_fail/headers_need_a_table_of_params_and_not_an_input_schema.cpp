// SPDX-License-Identifier: Apache-2.0
// error: headers_need_a_table_of_params_and_not_an_input_schema
#include <mcp/server.hpp>

constexpr mcp::InputSchema schema(R"({"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"}}})");
