// SPDX-License-Identifier: Apache-2.0
// error: the_input_schema_must_be_valid_json
#include <mcp/server.hpp>

constexpr mcp::InputSchema schema("");
