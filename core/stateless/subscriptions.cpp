// SPDX-License-Identifier: Apache-2.0
// subscriptions/listen: notifications for stateless clients.
// Source: basic/patterns/subscriptions, 2026-07-28.
#include <cstring>

#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/owned.hpp"
#include "engine/owners.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "engine/send_context.hpp"
#include "engine/session_place.hpp"
#include "features/resources.hpp"
#include "mcp/assert.hpp"
#include "mcp/json/value.hpp"
#include "mcp/server.hpp"

namespace mcp {

using detail::StorageView;
using detail::Subscription;

namespace protocol {
namespace {

// ---- Subscription targets -------------------------------------------------------------------------------------------

constexpr std::string_view notifications_key = "notifications";

// The members of params.notifications: first the lists, then the kinds of targets.
constexpr ListKind areas[] = {ListKind::tools, ListKind::prompts, ListKind::resources};
constexpr std::string_view list_keys[] = {"toolsListChanged", "promptsListChanged", "resourcesListChanged"};

bool can_change(const Definition& definition, ListKind area) {
  if (!definition.list_changes.on()) return false;
  if (area == ListKind::tools) return definition.has_tools();
  if (area == ListKind::prompts) return !definition.prompts.rows().empty();
  return definition.has_resources();
}

std::size_t find_subscribable(Request& request, const std::string_view& uri) {
  const std::span<const Resource> rows = request.definition.resources.rows();
  const std::size_t row = find_resource(request, uri);
  return row < rows.size() && rows[row].subscribable ? row : TargetKind::npos;
}

void write_uri(json::Writer& out, const SendContext& context, std::size_t row) {
  out.string(context.definition.resources.rows()[row].uri);
}

bool write_updated(json::Writer& out, const SendContext& context, std::size_t row) {
  begin_updated(out, context.definition, row);
  return true;
}

constexpr TargetKind listened_resources{"resourceSubscriptions", find_subscribable, write_uri, write_updated};

// The same, where other resources than the rows of the table have subscriptions.
std::size_t find_target(Request& request, const std::string_view& uri) {
  const std::size_t target = request.storage.links.targets->find(request, uri, true);
  return target <= TargetOps::answered ? target : TargetKind::npos;
}

void write_target(json::Writer& out, const SendContext& context, std::size_t target) {
  static_cast<void>(context.storage.links.targets->write_uri(out, context.definition, context.storage, target));
}

constexpr TargetKind listened_targets{"resourceSubscriptions", find_target, write_target, begin_target_updated};

constexpr ListKind kinds[] = {ListKind::resources, ListKind::tasks};

std::size_t first_of(const StorageView& storage, ListKind kind) {
  return kind == ListKind::tasks ? storage.first_task_target() : 0;
}

std::size_t end_of(const StorageView& storage, ListKind kind) {
  return storage.first_task_target() + (kind == ListKind::tasks ? storage.tasks.capacity() : 0);
}

// nullptr when this server has nothing of the kind.
const TargetKind* find_kind(const StorageView& storage, ListKind area) {
  if (area == ListKind::resources) return storage.links.subscriptions->resources;
  const TaskOps* const tasks = storage.links.stateless_tasks;
  return tasks != nullptr ? tasks->listened : nullptr;
}

// ---- Notifications --------------------------------------------------------------------------------------------------

constexpr json::Literal id_key = "io.modelcontextprotocol/subscriptionId";

/// Writes the messages of one subscription.
class SubscriptionWriter {
 public:
  SubscriptionWriter(SendContext& context, memory::Handle handle)
      : context_(context),
        out_(context.out),
        handle_(handle),
        subscription_(*context.storage.subscriptions.find(handle)),
        id_(context.storage.subscription_id(handle.index), subscription_.id_size) {}

  /// Writes the next message; false if there is none.
  bool run() {
    if (!subscription_.acknowledged) {
      subscription_.acknowledged = true;
      acknowledge();
      MCP_ASSERT(out_.ok());  // checked when the client subscribed
      return true;
    }
    return tell_list() || tell_thing() || end();
  }

  /// The accepted filter. It is longer than all notifications of lists and resources.
  void acknowledge() {
    notification_begin(out_, "subscriptions/acknowledged");
    out_.fragment("\"notifications\":{");
    for (std::size_t i = 0; i < std::size(areas); ++i) {
      if ((subscription_.lists & list_bit(areas[i])) != 0) out_.member(list_keys[i], true);
    }
    for (const ListKind area : kinds) acknowledge(area);
    out_.object_end();
    finish();
  }

 private:
  void tag() {
    out_.key(id_key);
    out_.raw(id_);
    out_.object_end();
  }

  void finish() {
    out_.fragment("\"_meta\":{");
    tag();
    out_.fragment("}}");
  }

  void acknowledge(ListKind area) {
    const StorageView& storage = context_.storage;
    const memory::BitSet named = storage.things_named_by(handle_.index);
    const std::size_t first = first_of(storage, area);
    bool any = false;
    for (std::size_t thing = first; thing < end_of(storage, area); ++thing) {
      if (!named.test(thing)) continue;
      const TargetKind& kind = *find_kind(context_.storage, area);
      if (!any) {
        out_.key(kind.key);
        out_.array_begin();
      }
      any = true;
      kind.write_name(out_, context_, thing - first);
    }
    if (any) out_.array_end();
  }

  bool tell_list() {
    for (std::size_t i = 0; i < std::size(areas); ++i) {
      const std::uint8_t bit = list_bit(areas[i]);
      if ((subscription_.lists_changed & bit) == 0) continue;
      subscription_.lists_changed &= static_cast<std::uint8_t>(~bit);
      notification_begin(out_, list_changed_name(areas[i]));
      finish();
      return true;
    }
    return false;
  }

  bool tell_thing() {
    memory::BitSet changed = context_.storage.things_changed_for(handle_.index);
    for (std::size_t thing = changed.first(); thing != TargetKind::npos; thing = changed.first()) {
      changed.reset(thing);
      const json::Writer::Mark start = out_.mark();
      if (write_notification(thing)) {
        finish();
        if (out_.ok()) return true;
      }
      out_.rollback(start);  // a notification that does not fit is dropped
    }
    return false;
  }

  bool write_notification(std::size_t thing) {
    const std::size_t first_task_target = context_.storage.first_task_target();
    const ListKind area = thing < first_task_target ? ListKind::resources : ListKind::tasks;
    return find_kind(context_.storage, area)
        ->write_notification(out_, context_, thing - first_of(context_.storage, area));
  }

  bool end() {
    if (!subscription_.ends) return false;
    context_.client = subscription_.client;
    rpc::Response response(out_, id_, context_.result_meta());
    response.result_begin();
    response.meta_begin();
    tag();
    if (!response.result_end()) fail_for_space(response);
    context_.storage.subscriptions.release(handle_);
    return true;
  }

  SendContext& context_;
  json::Writer& out_;
  memory::Handle handle_;
  Subscription& subscription_;
  std::string_view id_;
};

bool transmit(SendContext& context) {
  WalkOf<Subscription> all(context.storage.subscriptions, context);
  while (const Subscription* const subscription = all.next()) {
    if (context.is_for(subscription->channel) && SubscriptionWriter(context, all.handle()).run()) return true;
  }
  return false;
}

Millis due(const Definition&, const StorageView& storage, Millis) {
  memory::Walk<Subscription> all(storage.subscriptions);
  while (const Subscription* const subscription = all.next()) {
    if (storage.is_unfinished(subscription->session, subscription->channel)) continue;
    const bool silent = subscription->acknowledged && !subscription->ends && subscription->lists_changed == 0;
    if (!silent || storage.things_changed_for(all.index()).first() != memory::BitSet::npos) return 0;
  }
  return forever;
}

// ---- The request ----------------------------------------------------------------------------------------------------

// False if it is not a list of strings, or after an error.
bool read_things(Request& request, json::Value names, ListKind area, memory::BitSet named) {
  const TargetKind* const kind = find_kind(request.storage, area);
  if (kind == nullptr || !names.present()) return true;
  for (json::Elements elements(names); elements.next();) {
    if (!elements.value().is(json::Type::string)) return false;
    const std::size_t thing = kind->find(request, elements.value().string());
    if (thing == TargetOps::answered) return false;
    if (thing != TargetKind::npos) named.set(first_of(request.storage, area) + thing);
  }
  return names.is(json::Type::array);
}

// False if it is not a valid filter, or after an error.
bool read_filter(Request& request, memory::Handle handle) {
  json::Value filter;
  if (request.params.find({&notifications_key, 1}, {&filter, 1}) != json::no_key) return false;
  constexpr std::size_t list_count = std::size(areas);
  constexpr std::size_t count = list_count + std::size(kinds);
  std::string_view keys[count];
  json::Value values[count];
  for (std::size_t i = 0; i < list_count; ++i) keys[i] = list_keys[i];
  for (std::size_t i = list_count; i < count; ++i) {
    const TargetKind* const kind = find_kind(request.storage, kinds[i - list_count]);
    if (kind != nullptr) keys[i] = kind->key;
  }
  if (!filter.is(json::Type::object) || json::find_members(filter, keys, values) != json::no_key) return false;
  Subscription& subscription = *request.storage.subscriptions.find(handle);
  for (std::size_t i = 0; i < list_count; ++i) {
    if (values[i].present() && !values[i].is(json::Type::boolean)) return false;
    if (values[i].is_true() && can_change(request.definition, areas[i])) subscription.lists |= list_bit(areas[i]);
  }
  const memory::BitSet named = request.storage.things_named_by(handle.index);
  for (std::size_t i = list_count; i < count; ++i) {
    if (!read_things(request, values[i], kinds[i - list_count], named)) return false;
  }
  return true;
}

// The first message is sent by transmit(), as all others: to a client that has a stream for them by then.
void listen(Request& request) {
  const StorageView& storage = request.storage;
  if (!request.id_is_free()) return;
  const memory::Handle handle = take_place(request.context, storage.subscriptions);
  if (handle == memory::Handle{}) {
    mcp::detail::count(storage.health().subscriptions_full);
    return fail_for_place(request, place_limit(request.context, storage.subscriptions), "All ", " subscriptions",
                          " are in use; try again later.");
  }
  const std::string_view id = request.id();
  Subscription& subscription = *storage.subscriptions.find(handle);
  subscription.channel = request.context.channel;
  subscription.client = request.context.client;
  subscription.id_size = static_cast<std::uint16_t>(id.size());
  std::memcpy(storage.subscription_id(handle.index), id.data(), id.size());
  storage.things_named_by(handle.index).clear();
  storage.things_changed_for(handle.index).clear();
  if (!read_filter(request, handle)) {
    if (request.code() == 0)
      request.fail("notifications must be an object with unique keys: booleans for lists, string arrays for others.");
  } else {
    SubscriptionWriter(request.context, handle).acknowledge();
    const bool fits = request.out.ok();
    request.discard();
    request.context.listens = fits;
    if (fits) return;
    fail_for_space(request);
  }
  storage.subscriptions.release(handle);
}

// ---- The end of a subscription --------------------------------------------------------------------------------------

memory::Handle find_subscription(const StorageView& storage, std::size_t session_index, const std::string_view& id) {
  WalkOf<Subscription> all(storage.subscriptions, session_index);
  while (const Subscription* const subscription = all.next()) {
    if (json::equal(std::string_view(storage.subscription_id(all.index()), subscription->id_size), id))
      return all.handle();
  }
  return {};
}

// Sends nothing: the client knows. Clients that share a session do not know each other's ids.
void cancelled(Request& request) {
  const json::Value id = request.params.find("requestId");
  if (!id.present() || request.session.shared) return;
  request.storage.subscriptions.release(find_subscription(request.storage, request.session_index, id.raw()));
}

void close(SendContext& context) {
  WalkOf<Subscription> all(context.storage.subscriptions, context);
  while (const Subscription* const subscription = all.next()) {
    if (context.is_for(subscription->channel)) context.storage.subscriptions.release(all.handle());
  }
}

// ---- Calls of other features ----------------------------------------------------------------------------------------

void target_changed(const StorageView& storage, std::size_t thing) {
  memory::Walk<Subscription> all(storage.subscriptions);
  while (const Subscription* const subscription = all.next()) {
    const bool named = !subscription->ends && storage.things_named_by(all.index()).test(thing);
    if (named) storage.things_changed_for(all.index()).set(thing);
  }
}

void lists_changed(const StorageView& storage, std::uint8_t changed) {
  memory::Walk<Subscription> all(storage.subscriptions);
  while (Subscription* const subscription = all.next()) {
    if (subscription->ends) continue;
    subscription->lists_changed |= static_cast<std::uint8_t>(subscription->lists & changed);
  }
}

void target_ended(const StorageView& storage, std::size_t thing) {
  for (std::size_t i = 0; i < storage.subscriptions.capacity(); ++i) {
    storage.things_named_by(i).reset(thing);
    storage.things_changed_for(i).reset(thing);
  }
}

bool has_open(const StorageView& storage, const OpenRequest& wanted) {
  memory::Walk<Subscription> all(storage.subscriptions);
  while (const Subscription* const one = all.next()) {
    if (wanted.is(one->session, one->channel, storage.subscription_id(all.index()), one->id_size)) return true;
  }
  return false;
}

constexpr Method methods[] = {
    {"subscriptions/listen", listen, Method::Scope::stateless},
    {"notifications/cancelled", cancelled},
};

}  // namespace

constinit const Feature subscriptions_feature{.methods = methods,
                                              .write_capability = nullptr,
                                              .transmit = transmit,
                                              .due = due,
                                              .close = close,
                                              .has_open = has_open,
                                              .answers = true};
constinit const SubscriptionOps subscription_ops{target_changed, lists_changed, target_ended, &listened_resources};
constinit const SubscriptionOps target_subscription_ops{target_changed, lists_changed, target_ended, &listened_targets};

}  // namespace protocol
}  // namespace mcp
