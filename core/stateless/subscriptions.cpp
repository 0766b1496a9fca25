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
#include "engine/session_slot.hpp"
#include "features/resources.hpp"
#include "mcp/assert.hpp"
#include "mcp/json/value.hpp"
#include "mcp/server.hpp"
#include "rpc/same_id.hpp"
#include "stateless/joined_listens.hpp"

namespace mcp {

using detail::StorageView;
using detail::Subscription;

namespace protocol {
namespace {

// ---- Subscription targets -------------------------------------------------------------------------------------------

constexpr std::string_view notifications_key = "notifications";

// The members of params.notifications: first the lists, then the kinds of targets.
constexpr ListKind lists[] = {ListKind::tools, ListKind::prompts, ListKind::resources};
constexpr std::string_view list_keys[] = {"toolsListChanged", "promptsListChanged", "resourcesListChanged"};

bool can_change(const Definition& definition, ListKind list) {
  if (!definition.list_changes.on()) return false;
  if (list == ListKind::tools) return definition.has_tools();
  if (list == ListKind::prompts) return !definition.prompts.rows().empty();
  return definition.has_resources();
}

// With targets that are no rows, Links::targets knows all of them.
std::size_t find_resource_target(Request& request, const std::string_view& uri) {
  if (const TargetOps* const targets = request.storage.links.targets) {
    const std::size_t target = targets->find(request, uri, true);
    return target <= TargetOps::answered ? target : TargetKind::npos;
  }
  const std::span<const Resource> rows = request.definition.resources.rows();
  const std::size_t row = find_resource(request, uri);
  return row < rows.size() && rows[row].subscribable ? row : TargetKind::npos;
}

void write_uri(json::Writer& out, const SendContext& context, std::size_t target) {
  static_cast<void>(write_target_uri(out, context, target));
}

constexpr TargetKind listened_resources{"resourceSubscriptions", find_resource_target, write_uri, begin_updated};

constexpr ListKind kinds[] = {ListKind::resources, ListKind::tasks};

std::size_t first_of(const StorageView& storage, ListKind kind) {
  return kind == ListKind::tasks ? storage.first_task_target() : 0;
}

std::size_t end_of(const StorageView& storage, ListKind kind) {
  return storage.first_task_target() + (kind == ListKind::tasks ? storage.tasks.capacity() : 0);
}

// nullptr when this server has nothing of the kind.
const TargetKind* find_kind(const StorageView& storage, ListKind list) {
  if (list == ListKind::resources) return &listened_resources;
  const TaskOps* const tasks = storage.links.stateless_tasks;
  return tasks != nullptr ? tasks->listened : nullptr;
}

// ---- Notifications --------------------------------------------------------------------------------------------------

constexpr json::Literal id_key = "io.modelcontextprotocol/subscriptionId";

/// Writes the messages of one subscription. `joins`: other listens may share it.
template <bool joins>
class SubscriptionWriter {
 public:
  SubscriptionWriter(SendContext& context, memory::Handle handle)
      : context_(context),
        out_(context.out),
        handle_(handle),
        subscription_(context.storage.subscriptions.at(handle)),
        id_(context.storage.subscription_id(handle.index), subscription_.id_size) {}

  /// Writes the next message; false if there is none.
  bool run() {
    if (!subscription_.acknowledged) {
      subscription_.acknowledged = true;
      acknowledge();
      MCP_ASSERT(out_.ok());  // checked when the client subscribed
      return true;
    }
    if constexpr (joins) {
      if (acknowledge_joined()) return true;
    }
    return tell_list() || tell_target() || end();
  }

  /// The accepted filter. It is longer than all notifications of lists and resources.
  void acknowledge() {
    notification_begin(out_, "subscriptions/acknowledged");
    out_.fragment("\"notifications\":{");
    for (std::size_t i = 0; i < std::size(lists); ++i) {
      if ((subscription_.lists & list_bit(lists[i])) != 0) out_.member(list_keys[i], true);
    }
    for (const ListKind list : kinds) acknowledge(list);
    out_.object_end();
    finish();
  }

  /// The same of a listen for one resource that shares the subscription.
  void acknowledge(std::size_t target, std::string_view id) {
    const TargetKind& kind = *find_kind(context_.storage, ListKind::resources);
    id_ = id;
    notification_begin(out_, "subscriptions/acknowledged");
    out_.fragment("\"notifications\":{");
    if (target != JoinedListens::most_targets) {
      out_.key(kind.key);
      out_.array_begin();
      kind.write_name(out_, context_, target);
      out_.array_end();
    }
    out_.object_end();
    finish();
  }

 private:
  [[nodiscard]] JoinedListens joined() const { return {context_.storage, handle_.index}; }

  bool acknowledge_joined() {
    char* const entry = joined().first_due();
    if (entry == nullptr) return false;
    JoinedListens::set_acknowledged(entry);
    acknowledge(JoinedListens::target(entry), JoinedListens::id(entry));
    MCP_ASSERT(out_.ok());  // checked when the client subscribed
    return true;
  }

  // The id of the listen that names the target.
  void select(std::size_t target) {
    if constexpr (joins) {
      char* const entry = joined().find(target);
      id_ = entry != nullptr ? JoinedListens::id(entry)
                             : std::string_view(context_.storage.subscription_id(handle_.index), subscription_.id_size);
    }
  }

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

  void acknowledge(ListKind list) {
    const StorageView& storage = context_.storage;
    const memory::BitSet named = storage.targets_named_by(handle_.index);
    const std::size_t first = first_of(storage, list);
    bool any = false;
    for (std::size_t target = first; target < end_of(storage, list); ++target) {
      if (!named.test(target)) continue;
      if (joins && joined().find(target) != nullptr) continue;
      const TargetKind& kind = *find_kind(context_.storage, list);
      if (!any) {
        out_.key(kind.key);
        out_.array_begin();
      }
      any = true;
      kind.write_name(out_, context_, target - first);
    }
    if (any) out_.array_end();
  }

  bool tell_list() {
    for (std::size_t i = 0; i < std::size(lists); ++i) {
      const std::uint8_t bit = list_bit(lists[i]);
      if ((subscription_.lists_changed & bit) == 0) continue;
      subscription_.lists_changed &= static_cast<std::uint8_t>(~bit);
      notification_begin(out_, list_changed_name(lists[i]));
      finish();
      return true;
    }
    return false;
  }

  bool tell_target() {
    memory::BitSet changed = context_.storage.targets_changed_for(handle_.index);
    for (std::size_t target = changed.first(); target != TargetKind::npos; target = changed.first()) {
      changed.reset(target);
      mcp::detail::Task* const task = task_of(target);
      const bool was_seen = task != nullptr && task->outcome_seen;
      const json::Writer::Mark start = out_.mark();
      select(target);
      if (write_notification(target)) {
        finish();
        if (out_.ok()) return true;
      }
      out_.rollback(start);  // a notification that does not fit is dropped; tasks/get may have space for the state
      if (task != nullptr) task->outcome_seen = was_seen;
    }
    return false;
  }

  // nullptr for a resource.
  [[nodiscard]] mcp::detail::Task* task_of(std::size_t target) const {
    const std::size_t first = context_.storage.first_task_target();
    return target < first ? nullptr : context_.storage.tasks.in_use(target - first);
  }

  bool write_notification(std::size_t target) {
    const std::size_t first_task_target = context_.storage.first_task_target();
    const ListKind list = target < first_task_target ? ListKind::resources : ListKind::tasks;
    return find_kind(context_.storage, list)
        ->write_notification(out_, context_, target - first_of(context_.storage, list));
  }

  bool end() {
    if (!subscription_.ends) return false;
    context_.client = subscription_.client;
    char* const entry = joins ? joined().first() : nullptr;
    if (entry != nullptr) id_ = JoinedListens::id(entry);
    rpc::Response response(out_, id_, context_.result_meta());
    response.result_begin();
    response.meta_begin();
    tag();
    if (!response.result_end()) fail_for_space(response);
    if (entry != nullptr) joined().remove(entry);
    // The last one may have taken the place of the first listen.
    if (entry == nullptr || (subscription_.id_size == 0 && joined().first() == nullptr)) {
      context_.storage.subscriptions.release(handle_);
    }
    return true;
  }

  SendContext& context_;
  json::Writer& out_;
  memory::Handle handle_;
  Subscription& subscription_;
  std::string_view id_;
};

template <bool joins>
bool transmit_subscriptions(SendContext& context) {
  WalkOf<Subscription> all(context.storage.subscriptions, context);
  while (const Subscription* const subscription = all.next()) {
    if (context.is_for(subscription->channel) && SubscriptionWriter<joins>(context, all.handle()).run()) return true;
  }
  return false;
}

template <bool joins>
Millis subscriptions_due(const Definition&, const StorageView& storage, Millis) {
  memory::Walk<Subscription> all(storage.subscriptions);
  while (const Subscription* const subscription = all.next()) {
    if (storage.is_unfinished(subscription->session, subscription->channel)) continue;
    const bool silent = subscription->acknowledged && !subscription->ends && subscription->lists_changed == 0;
    if (joins && JoinedListens(storage, all.index()).first_due() != nullptr) return 0;
    if (!silent || storage.targets_changed_for(all.index()).first() != memory::BitSet::npos) return 0;
  }
  return forever;
}

// ---- The request ----------------------------------------------------------------------------------------------------

// A task may have ended, or may wait for input, before its client subscribes. The client gets this state, because no
// later event would send it.
void tell_state(const StorageView& storage, std::size_t subscription, std::size_t task) {
  if (storage.tasks.at(task).status == mcp::detail::TaskStatus::working) return;
  storage.targets_changed_for(subscription).set(first_of(storage, ListKind::tasks) + task);
}

// False if it is not a list of strings, or after an error.
bool read_targets(Request& request, json::Value names, ListKind list, memory::Handle handle) {
  memory::BitSet named = request.storage.targets_named_by(handle.index);
  const TargetKind* const kind = find_kind(request.storage, list);
  if (kind == nullptr || !names.present()) return true;
  for (json::Elements elements(names); elements.next();) {
    if (!elements.value().is(json::Type::string)) return false;
    const std::size_t target = kind->find(request, elements.value().string());
    if (target == TargetOps::answered) return false;
    if (target == TargetKind::npos) continue;
    MCP_DEBUG_ASSERT(first_of(request.storage, list) + target < end_of(request.storage, list));
    named.set(first_of(request.storage, list) + target);
    if (list == ListKind::tasks) tell_state(request.storage, handle.index, target);
  }
  return names.is(json::Type::array);
}

// False if it is not a valid filter, or after an error.
bool read_filter(Request& request, memory::Handle handle) {
  json::Value filter;
  if (request.params.find({&notifications_key, 1}, {&filter, 1}) != json::no_key) return false;
  constexpr std::size_t list_count = std::size(lists);
  constexpr std::size_t count = list_count + std::size(kinds);
  std::string_view keys[count];
  json::Value values[count];
  for (std::size_t i = 0; i < list_count; ++i) keys[i] = list_keys[i];
  for (std::size_t i = list_count; i < count; ++i) {
    const TargetKind* const kind = find_kind(request.storage, kinds[i - list_count]);
    if (kind != nullptr) keys[i] = kind->key;
  }
  if (!filter.is(json::Type::object) || json::find_members(filter, keys, values) != json::no_key) return false;
  Subscription& subscription = request.storage.subscriptions.at(handle);
  for (std::size_t i = 0; i < list_count; ++i) {
    if (values[i].present() && !values[i].is(json::Type::boolean)) return false;
    if (values[i].is_true() && can_change(request.definition, lists[i])) subscription.lists |= list_bit(lists[i]);
  }
  for (std::size_t i = list_count; i < count; ++i) {
    if (!read_targets(request, values[i], kinds[i - list_count], handle)) return false;
  }
  return true;
}

// The URI of a filter that is one resource and nothing else; without bytes for any other.
std::string_view only_resource(const Request& request) {
  json::Value filter;
  if (request.params.find({&notifications_key, 1}, {&filter, 1}) != json::no_key) return {};
  json::Members members(filter);
  if (!members.next() || !json::equal(members.key(), listened_resources.key)) return {};
  json::Elements uris(members.value());
  if (members.next() || !uris.next()) return {};
  const json::Value uri = uris.value();
  return uris.next() ? std::string_view() : uri.string();
}

// Adds a listen for one resource to the slot of another listen of the same wire: go-sdk sends one for each resource.
// False if the request needs a slot of its own.
bool join(Request& request) {
  const StorageView& storage = request.storage;
  const std::string_view uri = request.context.info == nullptr ? only_resource(request) : std::string_view();
  if (uri.empty()) return false;
  const std::size_t target = find_kind(storage, ListKind::resources)->find(request, uri);
  if (target == TargetOps::answered) return true;
  if (target == TargetKind::npos) return false;
  WalkOf<Subscription> all(storage.subscriptions, request.context);
  while (const Subscription* const subscription = all.next()) {
    memory::BitSet named = storage.targets_named_by(all.index());
    if (subscription->ends || named.test(target)) continue;
    SubscriptionWriter<true>(request.context, all.handle()).acknowledge(target, request.id());
    const bool fits = request.out.ok();
    request.discard();
    if (!fits) return false;  // the error says so
    if (!JoinedListens(storage, all.index()).add(target, request.id())) continue;
    named.set(target);
    request.context.listens = true;
    return true;
  }
  return false;
}

// The first message is sent by transmit_subscriptions(), as all others: to a client that has a stream for them by then.
template <bool joins>
void listen(Request& request) {
  const StorageView& storage = request.storage;
  if (!request.id_is_free()) return;
  if (joins && join(request)) return;
  const memory::Handle handle = acquire_slot(request.context, storage.subscriptions);
  if (handle == memory::Handle{}) {
    mcp::detail::count(storage.health().subscriptions_full);
    return fail_for_slots(request, slot_limit(request.context, storage.subscriptions), "All ", " subscriptions",
                          " are in use; name all resources in one, or raise Limits::subscriptions.");
  }
  const std::string_view id = request.id();
  Subscription& subscription = storage.subscriptions.at(handle);
  MCP_DEBUG_ASSERT(id.size() <= storage.id_size);
  subscription.channel = request.context.channel;
  subscription.client = request.context.client;
  subscription.id_size = static_cast<std::uint16_t>(id.size());
  std::memcpy(storage.subscription_id(handle.index), id.data(), id.size());
  storage.targets_named_by(handle.index).clear();
  storage.targets_changed_for(handle.index).clear();
  if (joins) JoinedListens(storage, handle.index).clear();
  if (!read_filter(request, handle)) {
    if (request.code() == 0)
      request.fail("notifications must be an object with unique keys: booleans for lists, string arrays for others.");
  } else {
    SubscriptionWriter<joins>(request.context, handle).acknowledge();
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
    if (rpc::same_id({storage.subscription_id(all.index()), subscription->id_size}, id)) return all.handle();
  }
  return {};
}

// Ends a listen that shares a slot. False if no slot has it.
bool cancel_joined(const StorageView& storage, std::size_t session_index, const std::string_view& id) {
  WalkOf<Subscription> all(storage.subscriptions, session_index);
  while (const Subscription* const subscription = all.next()) {
    JoinedListens joined(storage, all.index());
    char* const entry = joined.find(id);
    if (entry == nullptr) continue;
    const std::size_t target = JoinedListens::target(entry);
    joined.remove(entry);
    if (target != JoinedListens::most_targets) {
      storage.targets_named_by(all.index()).reset(target);
      storage.targets_changed_for(all.index()).reset(target);
    }
    if (subscription->id_size == 0 && joined.first() == nullptr) storage.subscriptions.release(all.handle());
    return true;
  }
  return false;
}

// Ends the first listen of a slot that others share. False if none does.
bool leave_joined(const StorageView& storage, memory::Handle handle) {
  Subscription* const subscription = storage.subscriptions.find(handle);
  if (subscription == nullptr) return true;
  JoinedListens joined(storage, handle.index);
  if (joined.first() == nullptr) return false;
  memory::BitSet named = storage.targets_named_by(handle.index);
  for (std::size_t target = 0; target < end_of(storage, ListKind::tasks); ++target) {
    if (!named.test(target) || joined.find(target) != nullptr) continue;
    named.reset(target);
    storage.targets_changed_for(handle.index).reset(target);
  }
  joined.move_to_begin();
  subscription->id_size = 0;
  subscription->lists = subscription->lists_changed = 0;
  subscription->acknowledged = true;
  return true;
}

// Sends nothing: the client knows. Clients that share a session do not know each other's ids.
template <bool joins>
void cancelled(Request& request) {
  const json::Value id = request.params.find("requestId");
  if (!id.present() || request.session.shared) return;
  const StorageView& storage = request.storage;
  if (joins && cancel_joined(storage, request.session_index, id.raw())) return;
  const memory::Handle handle = find_subscription(storage, request.session_index, id.raw());
  if (joins && leave_joined(storage, handle)) return;
  storage.subscriptions.release(handle);
}

void close_subscriptions(SendContext& context) {
  WalkOf<Subscription> all(context.storage.subscriptions, context);
  while (const Subscription* const subscription = all.next()) {
    if (context.is_for(subscription->channel)) context.storage.subscriptions.release(all.handle());
  }
}

// ---- Calls of other features ----------------------------------------------------------------------------------------

void target_changed(const StorageView& storage, std::size_t target) {
  MCP_DEBUG_ASSERT(target < end_of(storage, ListKind::tasks));
  memory::Walk<Subscription> all(storage.subscriptions);
  while (const Subscription* const subscription = all.next()) {
    const bool named = !subscription->ends && storage.targets_named_by(all.index()).test(target);
    if (named) storage.targets_changed_for(all.index()).set(target);
  }
}

void lists_changed(const StorageView& storage, std::uint8_t changed) {
  memory::Walk<Subscription> all(storage.subscriptions);
  while (Subscription* const subscription = all.next()) {
    if (subscription->ends) continue;
    subscription->lists_changed |= static_cast<std::uint8_t>(subscription->lists & changed);
  }
}

template <bool joins>
void forget_target(const StorageView& storage, std::size_t target) {
  for (std::size_t i = 0; i < storage.subscriptions.capacity(); ++i) {
    if (joins && storage.subscriptions.in_use(i) != nullptr) {
      char* const entry = JoinedListens(storage, i).find(target);
      if (entry != nullptr) JoinedListens::forget_target(entry);
    }
    storage.targets_named_by(i).reset(target);
    storage.targets_changed_for(i).reset(target);
  }
}

template <bool joins>
bool has_open(const StorageView& storage, const OpenRequest& wanted) {
  memory::Walk<Subscription> all(storage.subscriptions);
  while (const Subscription* const one = all.next()) {
    if constexpr (joins) {
      const JoinedListens joined(storage, all.index());
      for (JoinedListens::Entry entry = joined.first(); entry != nullptr; entry = joined.next(entry)) {
        const std::string_view id = JoinedListens::id(entry);
        if (wanted.is(one->session, one->channel, id.data(), id.size())) return true;
      }
    }
    if (wanted.is(one->session, one->channel, storage.subscription_id(all.index()), one->id_size)) return true;
  }
  return false;
}

template <bool joins>
constexpr FeatureMethod subscription_methods[] = {
    {"subscriptions/listen", listen<joins>, FeatureMethod::Scope::stateless},
    {"notifications/cancelled", cancelled<joins>},
};

template <bool joins>
constexpr Feature make_feature() {
  return {.methods = subscription_methods<joins>,
          .transmit = transmit_subscriptions<joins>,
          .due = subscriptions_due<joins>,
          .close = close_subscriptions,
          .has_open = has_open<joins>,
          .answers = true};
}

}  // namespace

constinit const Feature subscriptions_feature = make_feature<false>();
constinit const Feature joined_subscriptions_feature = make_feature<true>();
constinit const SubscriptionOps subscription_ops{target_changed, lists_changed, forget_target<false>};
constinit const SubscriptionOps joined_subscription_ops{target_changed, lists_changed, forget_target<true>};

}  // namespace protocol
}  // namespace mcp
