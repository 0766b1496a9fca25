// SPDX-License-Identifier: Apache-2.0
// The scopes of rows. Source: basic/authorization#scope-challenge-handling, 2025-11-25; RFC 6750 section 3.1.
#include "mcp/scopes.hpp"
#include "engine/hooks.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "features/resources.hpp"
#include "guards/row_guards.hpp"
#include "mcp/server.hpp"
#include "mcp/uri_template.hpp"

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

}  // namespace

bool admits_scope(Request& request, const GuardedRow& row) {
  const RowScope scope = scope_of(request.definition, row.table, row.index);
  const std::size_t missing = missing_scope(request.context, scope);
  if (missing == ScopeTable::npos) return true;
  fail_for_scope(request, scope, missing);
  return false;
}

namespace {

// All clients may know of a resource without a scope.
Audience audience_of(const SendContext& context, const RowScope& scope) {
  if (!scope.given()) return Audience::everyone;
  const std::size_t position = context.definition.scopes.find(scope.name());
  return context.receiver.has(position) ? Audience::client : Audience::none;
}

bool is_allowed(const SendContext& context, const RowScope& scope) {
  return audience_of(context, scope) != Audience::none;
}

Audience audience_of_row(const SendContext& context, std::size_t target) {
  const std::span<const Resource> rows = context.definition.resources.rows();
  if (target < rows.size()) return audience_of(context, rows[target].scope);
  return audience_of(context, context.definition.found_resources.get().scope);
}

// The scopes of the template and of each row with the same values apply. Not inlined, because a match is large on the
// stack.
[[gnu::noinline]] bool allows_instance(const SendContext& context, std::size_t instance) {
  const std::string_view uri = context.storage.instance_uri(instance);
  const auto match_template = context.storage.links.match_template;
  for (const ResourceTemplate& row : context.definition.resource_templates.rows()) {
    TemplateMatch match;
    if (!match_template(row.uri_template, uri, match)) continue;
    if (!is_allowed(context, row.scope)) return false;
    for (const Resource& resource : context.definition.resources.rows()) {
      TemplateMatch other;
      if (is_allowed(context, resource.scope) || !match_template(row.uri_template, resource.uri, other)) continue;
      if (same_values(match, other)) return false;
    }
    break;  // the first template that matches decides
  }
    // The instance may be a found row, which only a request can find.
    const FoundTable<FoundResources>& found = context.definition.found_resources;
  return !found.any() || is_allowed(context, found.get().scope);
}

}  // namespace

Audience scoped_audience(const SendContext& context, std::size_t target) { return audience_of_row(context, target); }

Audience scoped_instance_audience(const SendContext& context, std::size_t target) {
  const std::size_t first = context.storage.first_instance_target();
  if (target < first) return audience_of_row(context, target);
  return allows_instance(context, target - first) ? Audience::client : Audience::none;
}

bool hides_row(const Request& request, ListKind table, std::size_t index) {
  return missing_scope(request.context, scope_of(request.definition, table, index)) != ScopeTable::npos;
}

}  // namespace mcp::protocol
