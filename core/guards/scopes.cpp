// SPDX-License-Identifier: Apache-2.0
// The scopes of rows. Source: basic/authorization#scope-challenge-handling, 2025-11-25; RFC 6750 section 3.1.
#include "mcp/scopes.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "guards/row_guards.hpp"
#include "mcp/server.hpp"

namespace mcp::protocol {
namespace {

RowScope scope_of(const Definition& definition, ListKind table, std::size_t index) {
  switch (table) {
    case ListKind::tools: return definition.tools.rows()[index].info.scope;
    case ListKind::resources: return definition.resources.rows()[index].scope;
    case ListKind::resource_templates: return definition.resource_templates.rows()[index].scope;
    default: return definition.prompts.rows()[index].scope;
  }
}

bool admits_scope(Request& request, const GuardedRow& row) {
  const RowScope scope = scope_of(request.definition, row.table, row.index);
  const std::size_t missing = missing_scope(request.context, scope);
  if (missing == ScopeTable::npos) return true;
  fail_for_scope(request, scope, missing);
  return false;
}

}  // namespace

constinit const RowGuard scope_guard{admits_scope};

bool hides_row(const Request& request, ListKind table, std::size_t index) {
  return missing_scope(request.context, scope_of(request.definition, table, index)) != ScopeTable::npos;
}

}  // namespace mcp::protocol
