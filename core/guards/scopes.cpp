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
  const Definition& definition = request.definition;
  const RowScope scope = scope_of(definition, row.table, row.index);
  if (!scope.given()) return true;
  const std::size_t position = definition.scopes.find(scope.name());
  if (request.context.scopes().has(position)) return true;
  fail_for_scope(request, scope, position);
  return false;
}

}  // namespace

constinit const RowGuard scope_guard{admits_scope};

bool hides_row(const Request& request, ListKind table, std::size_t index) {
  const RowScope scope = scope_of(request.definition, table, index);
  return scope.given() && !request.context.scopes().has(request.definition.scopes.find(scope.name()));
}

}  // namespace mcp::protocol
