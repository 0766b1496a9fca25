// SPDX-License-Identifier: Apache-2.0
// error: a_bool_of_a_table_must_be_true_or_false
#include <mcp/server.hpp>

constexpr mcp::ToolExtras extras{.annotations = {.read_only_hint = "no"}};
