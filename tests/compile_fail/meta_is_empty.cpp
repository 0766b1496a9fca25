// SPDX-License-Identifier: Apache-2.0
// error: the_meta_must_be_a_json_object
#include <mcp/server.hpp>

constexpr mcp::Meta meta = "";
