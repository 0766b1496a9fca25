// SPDX-License-Identifier: Apache-2.0
#include "guards/row_guards.hpp"

#include "engine/feature.hpp"
#include "engine/owned.hpp"
#include "engine/request.hpp"
#include "engine/rows.hpp"
#include "engine/server_request_ids.hpp"
#include "features/resources.hpp"
#include "features/task_pool.hpp"
#include "mcp/json/value.hpp"
#include "mcp/rpc/response.hpp"
#include "mcp/uri_template.hpp"
#include "rpc/codes.hpp"

namespace mcp::protocol {

bool may_use(Request& request, const GuardedRow& row) {
  // The features of this file are linked only with a guard.
  for (const auto row_guard : request.storage.links.row_guard) {
    if (!row_guard(request, row)) return false;
  }
  return true;
}

// Not inlined: one function for all handlers.
[[gnu::noinline]] void pass_on(Request& request, const char* name, Handler self) {
  const FeatureMethod* const next = method_after(request.storage, name, request.context.client.stateless, self);
  if (next == nullptr) return request.fail(rpc::method_not_found, "Method not found: ", name, "");
  next->handle(request);
}

namespace {

// ---- Tools and prompts --------------------------------------------------------------------------------------------
// A request that names no row is passed on. The next feature rejects it.

void guard_call(Request& request) {
  const std::span<const Tool> rows = request.definition.tools.rows();
  const std::size_t row = find_row(request, ListKind::tools, rows, request.params.find("name").string());
  if (row >= rows.size() || may_use(request, {ListKind::tools, row, RowUse::call}))
    pass_on(request, "tools/call", guard_call);
}

void guard_get(Request& request) {
  const std::span<const Prompt> rows = request.definition.prompts.rows();
  const std::size_t row = find_row(request, ListKind::prompts, rows, request.params.find("name").string());
  if (row >= rows.size() || may_use(request, {ListKind::prompts, row, RowUse::get}))
    pass_on(request, "prompts/get", guard_get);
}

// ---- Resources ----------------------------------------------------------------------------------------------------

// The template with the values of this match can also name a row of the table, by another escape or order of names.
// Then the conditions of that row also apply.
bool admits_twins(Request& request, const ResourceTemplate& row, const TemplateMatch& match, RowUse use) {
  const std::span<const Resource> resources = request.definition.resources.rows();
  for (std::size_t i = 0; i < resources.size(); ++i) {
    TemplateMatch other;
    if (!request.enabled(ListKind::resources, i)) continue;  // then nothing is served
    if (!request.storage.links.match_template(row.uri_template, resources[i].uri, other)) continue;
    if (same_values(match, other) && !may_use(request, {ListKind::resources, i, use})) return false;
  }
  return true;
}

}  // namespace

// As for a read, the first match decides.
bool admits_instance(Request& request, const std::string_view& uri, RowUse use) {
  const std::span<const ResourceTemplate> rows = request.definition.resource_templates.rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    TemplateMatch match;
    if (!request.storage.links.match_template(rows[i].uri_template, uri, match)) continue;
    return !request.enabled(ListKind::resource_templates, i) ||
           (may_use(request, {ListKind::resource_templates, i, use}) && admits_twins(request, rows[i], match, use));
  }
  return true;
}

namespace {

bool admits_uri(Request& request, const std::string_view& uri, RowUse use) {
  if (uri.empty()) return true;
  const std::size_t row = find_resource(request, uri);
  if (row < request.definition.resources.rows().size()) return may_use(request, {ListKind::resources, row, use});
  const mcp::detail::Links& links = request.storage.links;
  return row == disabled_row || links.admits_instance == nullptr || links.admits_instance(request, uri, use);
}

void guard_read(Request& request) {
  if (admits_uri(request, request.params.find("uri").string(), RowUse::read))
    pass_on(request, "resources/read", guard_read);
}

void guard_subscribe(Request& request) {
  if (admits_uri(request, request.params.find("uri").string(), RowUse::subscribe))
    pass_on(request, "resources/subscribe", guard_subscribe);
}

void guard_listen(Request& request) {
  const json::Value filter = request.params.find("notifications");
  for (json::Elements uris(json::find_member(filter, "resourceSubscriptions")); uris.next();) {
    if (!admits_uri(request, uris.value().string(), RowUse::subscribe)) return;
  }
  pass_on(request, "subscriptions/listen", guard_listen);
}

// ---- Completion ---------------------------------------------------------------------------------------------------

bool admits_reference(Request& request, json::Value ref) {
  if (json::find_member(ref, "type").equals("ref/prompt")) {
    const std::span<const Prompt> rows = request.definition.prompts.rows();
    const std::size_t row = find_row(request, ListKind::prompts, rows, json::find_member(ref, "name").string());
    return row >= rows.size() || may_use(request, {ListKind::prompts, row, RowUse::complete});
  }
  const std::span<const ResourceTemplate> rows = request.definition.resource_templates.rows();
  const std::size_t row = find_row(request, ListKind::resource_templates, rows, json::find_member(ref, "uri").string());
  return row >= rows.size() || may_use(request, {ListKind::resource_templates, row, RowUse::complete});
}

void guard_complete(Request& request) {
  if (admits_reference(request, request.params.find("ref"))) pass_on(request, "completion/complete", guard_complete);
}

constexpr FeatureMethod guarded_tool_methods[] = {{"tools/call", guard_call}};
constexpr FeatureMethod guarded_prompt_methods[] = {{"prompts/get", guard_get}};
constexpr FeatureMethod guarded_resource_methods[] = {
    {"resources/read", guard_read},
    {"resources/subscribe", guard_subscribe, FeatureMethod::Scope::session},
};
constexpr FeatureMethod guarded_listen_methods[] = {
    {"subscriptions/listen", guard_listen, FeatureMethod::Scope::stateless}};
constexpr FeatureMethod guarded_completion_methods[] = {{"completion/complete", guard_complete}};

}  // namespace

constinit const Feature tool_guards_feature{guarded_tool_methods};
constinit const Feature prompt_guards_feature{guarded_prompt_methods};
constinit const Feature resource_guards_feature{guarded_resource_methods};
constinit const Feature listen_guards_feature{guarded_listen_methods};
constinit const Feature completion_guards_feature{guarded_completion_methods};

}  // namespace mcp::protocol
