// SPDX-License-Identifier: Apache-2.0
#include "engine/notifications.hpp"

#include "engine/hooks.hpp"
#include "engine/send_context.hpp"
#include "mcp/assert.hpp"
#include "mcp/detail/revision.hpp"

namespace mcp::protocol {

void begin_without_params(json::Writer& out, const char* name) {
  out.fragment("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/");
  out.append(name);
  out.string_end();
}

void notification_begin(json::Writer& out, const char* name) {
  begin_without_params(out, name);
  out.fragment("\"params\":{");
}

void mark_updated(const mcp::detail::StorageView& storage, std::size_t target) {
  MCP_DEBUG_ASSERT(target < storage.first_task_target());
  for (std::size_t i = 0; i < storage.sessions.capacity(); ++i) {
    if (storage.subscribed_by(i).test(target)) storage.updated_for(i).set(target);
  }
  // Of subscriptions/listen. The loop above is for sessions.
  if (const SubscriptionOps* const subscriptions = storage.links.subscriptions) {
    subscriptions->target_changed(storage, target);
  }
}

void mark_list_changed(const mcp::detail::StorageView& storage, ListKind kind) {
  memory::Walk<mcp::detail::Session> sessions(storage.sessions);
  while (mcp::detail::Session* const session = sessions.next()) session->lists_changed |= list_bit(kind);
  // Of subscriptions/listen. The loop above is for sessions.
  if (const SubscriptionOps* const subscriptions = storage.links.subscriptions) {
    subscriptions->lists_changed(storage, list_bit(kind));
  }
}

void release_task(const mcp::detail::StorageView& storage, memory::Handle task) {
  MCP_DEBUG_ASSERT(storage.tasks.find(task) != nullptr);
  if (const SubscriptionOps* const subscriptions = storage.links.subscriptions) {
    subscriptions->forget_target(storage, storage.first_task_target() + task.index);
  }
  storage.tasks.release(task);
}

// Never called for templates: list_bit() counts them as resources.
const char* list_changed_name(ListKind kind) {
  if (kind == ListKind::tools) return "tools/list_changed";
  return kind == ListKind::prompts ? "prompts/list_changed" : "resources/list_changed";
}

bool write_target_uri(json::Writer& out, const SendContext& context, std::size_t target) {
  if (const TargetOps* const targets = context.storage.links.targets) {
    return targets->write_uri(out, context.definition, context.storage, target);
  }
  // Without TargetOps, each resource target is a row. StorageView::first_task_target() has the order of all targets.
  const std::span<const Resource> rows = context.definition.resources.rows();
  MCP_DEBUG_ASSERT(target < rows.size());
  out.string(rows[target].uri);
  return true;
}

bool begin_updated(json::Writer& out, const SendContext& context, std::size_t target) {
  notification_begin(out, "resources/updated");
  out.key("uri");
  return write_target_uri(out, context, target);
}

}  // namespace mcp::protocol
