// SPDX-License-Identifier: Apache-2.0
// error: the_scope_of_a_row_must_not_be_empty
#include <mcp/scopes.hpp>

constexpr mcp::RowScope scope = "";
