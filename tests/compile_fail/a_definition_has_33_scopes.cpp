// SPDX-License-Identifier: Apache-2.0
// error: a Definition has at most 32 scopes
#include <mcp/scopes.hpp>

constexpr std::string_view names[33] = {"read"};
constexpr mcp::ScopeTable table = names;
