// SPDX-License-Identifier: Apache-2.0
// Subscription targets that are no constant rows: found resources, then template instances. Source:
// server/resources#subscriptions, 2025-11-25; basic/patterns/subscriptions, 2026-07-28.
#include <cstring>

#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/owners.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "engine/rows.hpp"
#include "engine/session_slot.hpp"
#include "features/resources.hpp"
#include "found/found_rows.hpp"
#include "mcp/assert.hpp"
#include "mcp/server.hpp"
#include "mcp/uri.hpp"

namespace mcp {

using detail::StorageView;

namespace protocol {
namespace {

// ---- Template instances ---------------------------------------------------------------------------------------------

// A slot of an instance is free while no subscription names it, so no count can become wrong.

constexpr std::size_t any_owner = static_cast<std::size_t>(-1);

bool is_subscribed(const StorageView& storage, std::size_t target, std::size_t owner = any_owner) {
  for (std::size_t i = 0; i < storage.sessions.capacity(); ++i) {
    const mcp::detail::Session* const session = storage.sessions.in_use(i);
    if (session == nullptr || !storage.subscribed_by(i).test(target)) continue;
    if (owner == any_owner || session->owner == owner) return true;
  }
  memory::Walk<mcp::detail::Subscription> all(storage.subscriptions);
  while (const mcp::detail::Subscription* const subscription = all.next()) {
    if (!storage.targets_named_by(all.index()).test(target)) continue;
    if (owner == any_owner || subscription->owner == owner) return true;
  }
  return false;
}

// Stores a URI in normal form, by RFC 3986 section 6.2.2. It never becomes longer.
void store_uri(char* to, const std::string_view& uri) {
  for (std::size_t at = 0; at < uri.size();) {
    const std::size_t from = at;
    const unsigned code = mcp::detail::read_uri_char(uri, at);
    if (at - from == 1 || (code & ~mcp::detail::decoded_char) == 0) {
      *to++ = static_cast<char>(code);
    } else {
      for (std::size_t i = from; i < at; ++i) {
        const char c = uri[i];
        *to++ = c >= 'a' ? static_cast<char>(c - ('a' - 'A')) : c;  // of a hexadecimal digit
      }
    }
  }
  *to = '\0';
}

std::size_t find_instance(const StorageView& storage, const std::string_view& uri) {
  for (std::size_t i = 0; i < storage.instance_count; ++i) {
    if (mcp::detail::same_uri(storage.instance_uri(i), uri)) return i;
  }
  return no_target;
}

std::size_t fail_for_instances(Request& request, const SlotLimit& limit) {
  mcp::detail::count(request.storage.health().subscriptions_full);
  fail_for_slots(request, limit, "All ", " template subscriptions", " are in use; try again later.");
  return TargetOps::answered;
}

// Takes an instance for the subscription of this request. The caller names it at once.
std::size_t acquire_instance(Request& request, const std::string_view& uri) {
  const StorageView& storage = request.storage;
  const std::size_t first = storage.first_instance_target();
  const std::size_t owner = request.context.client.stateless ? request.context.owner() : request.session.owner;
  const std::size_t existing = find_instance(storage, uri);
  if (existing != no_target && is_subscribed(storage, first + existing, owner)) return first + existing;
  const std::size_t share = share_of(storage, static_cast<std::uint32_t>(owner), storage.instance_count);
  std::size_t own = 0;
  std::size_t slot = existing;
  for (std::size_t i = 0; i < storage.instance_count; ++i) {
    if (is_subscribed(storage, first + i, owner)) ++own;
    if (slot == no_target && !is_subscribed(storage, first + i)) slot = i;
  }
  if (own >= share || slot == no_target) {
    return fail_for_instances(request, slot_limit(share, storage.instance_count, own >= share));
  }
  MCP_DEBUG_ASSERT(uri.size() <= storage.uri_size);
  if (slot != existing) store_uri(storage.instance_at(slot), uri);
  return first + slot;
}

std::size_t answer_crowded(Request& request) {
  fail_crowded(request);
  return TargetOps::answered;
}

std::size_t find_template_target(Request& request, const std::string_view& uri, bool subscribes) {
  if (!subscribes) {
    const std::size_t instance = find_instance(request.storage, uri);
    const std::size_t target = request.storage.first_instance_target() + instance;
    if (instance != no_target && request.storage.subscribed_by(request.session_index).test(target)) return target;
  }
  switch (find_template_subscription(request, uri)) {
    case TemplateSubscription::none: return TargetOps::unknown;
    case TemplateSubscription::refused: return TargetOps::unsubscribable;
    case TemplateSubscription::crowded: return answer_crowded(request);
    case TemplateSubscription::allowed: break;
  }
  if (uri.size() > request.storage.uri_size) return TargetOps::too_long;
  return subscribes ? acquire_instance(request, uri) : TargetOps::not_subscribed;
}

// ---- All targets ----------------------------------------------------------------------------------------------------

template <bool has_found, bool has_instances>
std::size_t find(Request& request, const std::string_view& uri, bool subscribes) {
  const std::span<const Resource> rows = request.definition.resources.rows();
  const std::size_t row = find_resource(request, uri);
  if (row < rows.size()) return rows[row].subscribable ? row : TargetOps::unsubscribable;
  if (row == disabled_row) return TargetOps::unknown;
  if constexpr (has_found) {
    const RowScope scope = request.definition.found_resources.get().scope;
    const MissingScope missing = missing_for(request, scope);
    const std::size_t number = find_found_resource(request, uri, missing);
    if (number == crowded_target) return answer_crowded(request);
    if (number != no_target) {
      if (missing.hides) return TargetOps::unknown;
      if (!missing.any() || !subscribes) return rows.size() + number;
      fail_for_scope(request, scope, missing.position);
      return TargetOps::answered;
    }
  }
  if constexpr (has_instances) return find_template_target(request, uri, subscribes);
  return TargetOps::unknown;
}

template <bool has_found, bool has_instances>
bool write_uri(json::Writer& out, const Definition& definition, const StorageView& storage, std::size_t target) {
  const std::span<const Resource> rows = definition.resources.rows();
  if (target < rows.size()) {
    out.string(rows[target].uri);
    return true;
  }
  if constexpr (has_instances) {
    const std::size_t first = storage.first_instance_target();
    if (target >= first) {
      out.string(storage.instance_uri(target - first));
      return true;
    }
  }
  if constexpr (has_found) return write_found_uri(out, definition, static_cast<std::uint16_t>(target - rows.size()));
  return false;
}

}  // namespace

// Without scopes. The URI of an instance is what one client has asked for.
Audience instance_audience(const SendContext& context, std::size_t target) {
  return target < context.storage.first_instance_target() ? Audience::everyone : Audience::client;
}

constinit const TargetOps found_targets{find<true, false>, write_uri<true, false>};
constinit const TargetOps template_targets{find<false, true>, write_uri<false, true>};
constinit const TargetOps all_targets{find<true, true>, write_uri<true, true>};

}  // namespace protocol

void Server::resource_updated(std::string_view uri) const {
  check_task();
  const std::span<const Resource> rows = definition_->resources.rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (detail::same_uri(rows[i].uri, uri)) return protocol::mark_updated(storage_, i);
  }
  for (std::size_t i = 0; i < storage_.instance_count; ++i) {
    if (detail::same_uri(storage_.instance_uri(i), uri))
      return protocol::mark_updated(storage_, storage_.first_instance_target() + i);
  }
}

}  // namespace mcp
