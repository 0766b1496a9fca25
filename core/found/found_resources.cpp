// SPDX-License-Identifier: Apache-2.0
// Resources that exist at run time, after the constant ones: resources/list and resources/read. Source:
// server/resources, 2025-11-25.
#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "engine/rows.hpp"
#include "features/resources.hpp"
#include "found/found_rows.hpp"
#include "mcp/assert.hpp"
#include "mcp/detail/link.hpp"
#include "mcp/found.hpp"
#include "mcp/server.hpp"
#include "mcp/uri.hpp"
#include "mcp/uri_template.hpp"

namespace mcp {
namespace protocol {
namespace {

using mcp::detail::FoundPart;
using mcp::detail::FoundRow;

constexpr std::uint8_t only(FoundPart part) { return static_cast<std::uint8_t>(part); }

FoundKind write_found_resource(Request& request, std::uint16_t number, std::string_view& key) {
  json::Writer& out = request.out;
  out.object_begin();
  FoundResource row(out, FoundRow::all, false, request.revision().shown);
  if (!request.definition.found_resources.get().describe(number, row)) return FoundKind::absent;
  out.object_end();
  key = row.key();
  if (!row.has(FoundPart::uri) || !row.has(FoundPart::name)) return FoundKind::incomplete;
  if (!out.ok()) return FoundKind::valid;  // and too long
  if (!mcp::detail::is_uri(key)) return FoundKind::bad_key;
  return find_resource(request, key) == no_row ? FoundKind::valid : FoundKind::taken;
}

void list_found_resources(Request& request) {
  const Definition& definition = request.definition;
  answer_found_page(request, {"resources", ListKind::resources, definition.resources.rows().size(),
                              definition.found_resources.get().numbers, definition.found_resources.get().scope,
                              write_found_resource});
}

constexpr FeatureMethod found_resource_methods[] = {{"resources/list", list_found_resources}};

}  // namespace

// A URI of the resource table has been looked for before.
bool read_found(Request& request, const std::string_view& uri) {
  const FoundResources& rows = request.definition.found_resources.get();
  const MissingScope missing = missing_for(request, rows.scope);
  const std::size_t found = find_found_resource(request, uri, missing);
  if (found == no_target) return false;
  if (found == crowded_target) return fail_crowded(request), true;
  if (missing.hides) return request.fail(Errc::not_found, uri), true;
  if (missing.any()) return fail_for_scope(request, rows.scope, missing.position), true;
  const auto number = static_cast<std::uint16_t>(found);
  request.result_begin();
  ReadResult body = body_begin(request, uri, {}, rows.ttl_ms);
  FoundResource row(request.out, only(FoundPart::mime_type), false, request.revision().shown);
  static_cast<void>(rows.describe(number, row));
  body_end(request, uri, body, rows.read(number, body));
  return true;
}

bool has_found_resource(const Definition& definition, std::uint16_t number) {
  json::Writer nowhere({});
  FoundResource row(nowhere, 0, false, {});
  return definition.found_resources.get().describe(number, row);
}

bool write_found_uri(json::Writer& out, const Definition& definition, std::uint16_t number) {
  const json::Writer::Mark mark = out.mark();
  FoundResource row(out, only(FoundPart::uri), true, {});
  if (definition.found_resources.get().describe(number, row) && row.has(FoundPart::uri)) return true;
  out.rollback(mark);
  return false;
}

namespace {

// Returns the row's number if `is_same` accepts its URI; else no_target or crowded_target.
template <class IsSame>
std::size_t compare_row(Request& request, std::uint16_t number, const IsSame& is_same) {
  json::Writer& out = request.out;
  const bool alone = out.size() == 0;  // not in a batch
  const json::Writer::Mark mark = out.mark();
  FoundResource row(out, only(FoundPart::uri), true, {});
  const bool exists = request.definition.found_resources.get().describe(number, row);
  const bool fits = out.ok();
  const bool same = exists && fits && is_same(row);
  out.rollback(mark);
  if (same) return number;
  return fits || alone ? no_target : crowded_target;  // a row that fits nowhere is in no list either
}

std::size_t find_number(Request& request, const std::string_view& uri) {
  const FoundResources& rows = request.definition.found_resources.get();
  const auto is_called = [&uri](const FoundResource& row) {
    return row.has(FoundPart::name) && mcp::detail::same_uri(row.key(), uri) && mcp::detail::is_uri(row.key());
  };
  if (rows.find != nullptr) {
    const std::uint16_t number = rows.find(uri);
    return number < rows.numbers ? compare_row(request, number, is_called) : no_target;
  }
  for (std::uint16_t number = 0; number < rows.numbers; ++number) {
    const std::size_t found = compare_row(request, number, is_called);
    if (found != no_target) return found;
  }
  return no_target;
}

bool finds_resource(Request& request, std::uint16_t number, const std::string_view& uri) {
  return find_number(request, uri) == number;
}

// Not a part of the lambda below: toolchains/stack-calls names who calls through a pointer, and a lambda has no name.
bool has_same_values(const Request& request, std::string_view uri_template, const TemplateMatch& match,
                     std::string_view key) {
  TemplateMatch other;
  return request.storage.links.match_template(uri_template, key, other) && same_values(match, other);
}

// The row whose values the template would get, by another escape or order of names. Not inlined, because a match is
// large on the stack.
[[gnu::noinline]] std::size_t find_twin(Request& request, const std::string_view& uri) {
  for (const ResourceTemplate& row : request.definition.resource_templates.rows()) {
    TemplateMatch match;
    if (!request.storage.links.match_template(row.uri_template, uri, match)) continue;
    const auto is_twin = [&](const FoundResource& found) {
      return has_same_values(request, row.uri_template, match, found.key());
    };
    for (std::uint16_t number = 0; number < request.definition.found_resources.get().numbers; ++number) {
      const std::size_t found = compare_row(request, number, is_twin);
      if (found != no_target) return found;
    }
    break;  // the first template that matches decides
  }
  return no_target;
}

}  // namespace

std::size_t find_found_resource(Request& request, const std::string_view& uri, const MissingScope& missing) {
  const std::size_t number = find_number(request, uri);
  return number == no_target && missing.any() ? find_twin(request, uri) : number;
}

constinit const Feature found_resources_feature{found_resource_methods};

}  // namespace protocol

namespace {

void end_target(const detail::StorageView& storage, std::size_t target) {
  MCP_DEBUG_ASSERT(target < storage.updated_from_isr.size());
  storage.updated_from_isr[target].store_relaxed(0);
  for (std::size_t i = 0; i < storage.sessions.capacity(); ++i) {
    storage.subscribed_by(i).reset(target);
    storage.updated_for(i).reset(target);
  }
  if (const protocol::SubscriptionOps* const subscriptions = storage.links.subscriptions) {
    subscriptions->forget_target(storage, target);
  }
}

}  // namespace

std::size_t Server::target_of_found(std::uint16_t number) const {
  MCP_ASSERT(number < definition_->found_resources.targets());
  return definition_->resources.rows().size() + number;
}

void Server::found_resource_updated(std::uint16_t number) const {
  check_task();
  protocol::mark_updated(storage_, target_of_found(number));
}

void Server::found_resource_updated_from_isr(std::uint16_t number) const {
  storage_.updated_from_isr[target_of_found(number)].store_relaxed(1);
}

void Server::found_resource_ended(std::uint16_t number) const {
  check_task();
  end_target(storage_, target_of_found(number));
}

void Server::check_found_resources(void (*report)(const OmittedRow& row)) const {
  check_task();
  const FoundResources& rows = definition_->found_resources.get();
  protocol::check_found_rows(*definition_, storage_,
                             {"resources", ListKind::resources, 0, rows.numbers, {}, protocol::write_found_resource},
                             protocol::finds_resource, report);
}

void Server::found_resources_changed() const {
  check_task();
  const std::uint16_t targets = definition_->found_resources.targets();
  for (std::uint16_t number = 0; number < targets; ++number) {
    if (!protocol::has_found_resource(*definition_, number)) end_target(storage_, target_of_found(number));
  }
  protocol::mark_list_changed(storage_, ListKind::resources);
}

}  // namespace mcp
