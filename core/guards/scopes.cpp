// SPDX-License-Identifier: Apache-2.0
// The scopes of rows. Source: basic/authorization#scope-challenge-handling, 2025-11-25; RFC 6750 section 3.1.
#include "mcp/scopes.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "guards/row_guards.hpp"
#include "mcp/server.hpp"

namespace mcp::protocol {
namespace {

// The found rows come after those of the table.
RowScope scope_of(const Definition& definition, ListKind table, std::size_t index) {
  switch (table) {
    case ListKind::tools: {
      const std::span<const Tool> rows = definition.tools.rows();
      return index < rows.size() ? rows[index].info.scope : definition.found_tools.scope();
    }
    case ListKind::resources: {
      const std::span<const Resource> rows = definition.resources.rows();
      return index < rows.size() ? rows[index].scope : definition.found_resources.scope();
    }
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
