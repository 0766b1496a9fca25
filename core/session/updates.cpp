// SPDX-License-Identifier: Apache-2.0
// Notifications of changed resources: resources/subscribe, resources/unsubscribe, notifications/resources/updated.
// Source: server/resources#subscriptions, 2025-11-25.
#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/request.hpp"
#include "engine/send_context.hpp"
#include "features/resources.hpp"
#include "mcp/assert.hpp"
#include "mcp/resource.hpp"
#include "mcp/server.hpp"

namespace mcp::protocol {

using mcp::detail::StorageView;

namespace {

void set_subscribed(Request& request, std::size_t index, bool subscribe) {
  memory::BitSet subscribed = request.storage.subscribed_by(request.session_index);
  // Drops an update from before the subscription. Keeps a pending update of a current subscriber.
  if (!subscribe || !subscribed.test(index)) request.storage.updated_for(request.session_index).reset(index);
  if (subscribe) {
    subscribed.set(index);
  } else {
    subscribed.reset(index);
  }
  request.empty_result();
}

void change_subscription(Request& request, bool subscribe) {
  const std::string_view uri = read_uri(request);
  if (uri.empty()) return;
  const std::span<const Resource> rows = request.definition.resources.rows();
  const std::size_t index = find_resource(request, uri);
  if (index >= rows.size()) return request.fail(Errc::not_found, uri);
  if (!rows[index].subscribable) return request.fail("This resource has no subscriptions.");
  set_subscribed(request, index, subscribe);
}

void subscribe(Request& request) { change_subscription(request, true); }
void unsubscribe(Request& request) { change_subscription(request, false); }

// The same, where other resources than the rows of the table have subscriptions.
void change_target(Request& request, bool subscribe) {
  const std::string_view uri = read_uri(request);
  if (uri.empty()) return;
  const std::size_t target = request.storage.links.targets->find(request, uri, subscribe);
  switch (target) {
    case TargetOps::unknown: return request.fail(Errc::not_found, uri);
    case TargetOps::unsubscribable: return request.fail("This resource has no subscriptions.");
    case TargetOps::too_long: return request.fail("uri is too long for a subscription.");
    case TargetOps::not_subscribed: return request.empty_result();
    case TargetOps::answered: return;
    default: return set_subscribed(request, target, subscribe);
  }
}

void subscribe_target(Request& request) { change_target(request, true); }
void unsubscribe_target(Request& request) { change_target(request, false); }

void share_update(SendContext& context, std::size_t index) {
  share_change(context, [&](std::size_t session, const mcp::detail::Session&) {
    context.storage.updated_for(session).reset(index);
  });
}

// Forgets the next change that this client may know, and returns it; npos without one. A change that its scopes do not
// allow stays pending until they do.
std::size_t take_allowed_update(SendContext& context) {
  if (!context.is_for(session_channel)) return memory::BitSet::npos;
  memory::BitSet updated = context.storage.updated_for(context.session_index);
  const mcp::detail::Links& links = context.storage.links;
  for (std::size_t target = updated.first(); target != memory::BitSet::npos; target = updated.first_from(target + 1)) {
    const Audience audience = links.audience != nullptr ? links.audience(context, target) : Audience::everyone;
    if (audience == Audience::none) continue;
    updated.reset(target);
    if (audience == Audience::everyone) share_update(context, target);
    return target;
  }
  return memory::BitSet::npos;
}

// One notification for each resource that changed since the last one.
bool transmit_updates(SendContext& context) {
  // Most often there is none.
  if (context.storage.updated_for(context.session_index).first() == memory::BitSet::npos) return false;
  const std::size_t index = take_allowed_update(context);
  if (index == memory::BitSet::npos) return false;
  static_cast<void>(begin_updated(context.out, context, index));
  context.out.fragment("}}");
  MCP_ASSERT(context.out.ok());  // the list item with this URI fits, and is longer
  return true;
}

// The same, with targets that may have ended or have a URI of any length.
bool transmit_target_updates(SendContext& context) {
  json::Writer& out = context.out;
  const Channel own = context.channel;
  for (;;) {
    const std::size_t target = take_allowed_update(context);
    if (target == memory::BitSet::npos) return false;
    const json::Writer::Mark start = out.mark();
    if (begin_updated(out, context, target)) {
      out.fragment("}}");
      if (out.ok()) return true;
    }
    out.rollback(start);
    context.channel = own;
  }
}

// Reads the marks of interrupts.
Millis updates_due(const Definition&, const StorageView& storage, Millis) {
  Millis due = forever;
  for (std::size_t i = 0; i < storage.updated_from_isr.size(); ++i) {
    detail::Atomic<std::uint8_t>& flag = storage.updated_from_isr[i];
    if (flag.load_relaxed() == 0) continue;
    // Cleared first: an interrupt in between sets it again, and at worst a client gets a second notification.
    flag.store_relaxed(0);
    detail::signal_fence();
    mark_updated(storage, i);
    due = 0;
  }
  return due;
}

void close_updates(SendContext& context) {
  if (context.channel != only_channel) return;
  context.storage.subscribed_by(context.session_index).clear();
  context.storage.updated_for(context.session_index).clear();
}

constexpr FeatureMethod update_methods[] = {
    {"resources/subscribe", subscribe, FeatureMethod::Scope::session},
    {"resources/unsubscribe", unsubscribe, FeatureMethod::Scope::session},
};
constexpr FeatureMethod target_methods[] = {
    {"resources/subscribe", subscribe_target, FeatureMethod::Scope::session},
    {"resources/unsubscribe", unsubscribe_target, FeatureMethod::Scope::session},
};

}  // namespace

constinit const Feature updates_feature{
    .methods = update_methods, .transmit = transmit_updates, .due = updates_due, .close = close_updates};

constinit const Feature target_updates_feature{
    .methods = target_methods, .transmit = transmit_target_updates, .due = updates_due, .close = close_updates};

}  // namespace mcp::protocol
