// SPDX-License-Identifier: Apache-2.0
// error: two_scopes_of_a_definition_must_not_have_the_same_name
#include <mcp/scopes.hpp>

constexpr std::string_view names[] = {"read", "write", "read"};
constexpr mcp::ScopeTable table = names;
