// SPDX-License-Identifier: Apache-2.0
// error: the_metadata_must_be_a_json_object
#include <mcp/input_request.hpp>

constexpr mcp::Sampling sampling{.metadata = ""};
