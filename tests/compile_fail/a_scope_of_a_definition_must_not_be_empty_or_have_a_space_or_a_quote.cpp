// SPDX-License-Identifier: Apache-2.0
// error: a_scope_of_a_definition_must_not_be_empty_or_have_a_space_or_a_quote
#include <mcp/scopes.hpp>

constexpr std::string_view names[] = {"pump write"};
constexpr mcp::ScopeTable table = names;
