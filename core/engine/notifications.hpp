// SPDX-License-Identifier: Apache-2.0
// Begins notifications, and marks pending ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/send_context.hpp"
#include "mcp/definition.hpp"
#include "mcp/detail/revision.hpp"
#include "mcp/detail/server_state.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/memory/pool.hpp"

namespace mcp::protocol {

/// Begins a notification: `notifications/`, this name, and its closing quote.
void begin_without_params(json::Writer& out, const char* name);
/// The same, and up to the brace of its params.
void notification_begin(json::Writer& out, const char* name);

/// The name of the notification for a changed list: one of tools, resources or prompts.
const char* list_changed_name(ListKind kind);

/// Writes the URI of a row of the resource table, or of another target. False if the target does not exist any more.
bool write_target_uri(json::Writer& out, const SendContext& context, std::size_t target);
/// Begins `resources/updated` of a target. More members may follow its `uri`. False as above: the caller removes
/// the output.
bool begin_updated(json::Writer& out, const SendContext& context, std::size_t target);

/// Marks a target that is no task (StorageView::first_task_target()) as changed for all subscribers.
void mark_updated(const mcp::detail::StorageView& storage, std::size_t target);

/// If the session of the message shares changes, the message is for all clients: calls `forget` for each session that
/// does not send the change again.
template <class Forget>
void share_change(SendContext& context, const Forget& forget) {
  if ((context.session.lists_changed & mcp::detail::Session::shares_changes) == 0) return;
  context.channel = shared_channel;
  const mcp::detail::StorageView& storage = context.storage;
  for (std::size_t i = 0; i < storage.sessions.capacity(); ++i) {
    mcp::detail::Session* const session = storage.sessions.in_use(i);
    if (session != nullptr && (session->lists_changed & session->shares_changes) != 0) forget(i, *session);
  }
}

/// Marks a list as changed for all sessions, and for all subscriptions that name it.
void mark_list_changed(const mcp::detail::StorageView& storage, ListKind kind);

/// Releases the slot of a task. No more messages are sent for it.
void release_task(const mcp::detail::StorageView& storage, memory::Handle task);

/// The bit of a list in lists_changed. Resources and templates share one, as they share the notification.
constexpr std::uint8_t list_bit(ListKind kind) {
  return static_cast<std::uint8_t>(
      1u << static_cast<unsigned>(kind == ListKind::resource_templates ? ListKind::resources : kind));
}

}  // namespace mcp::protocol
