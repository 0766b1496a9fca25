// Begins notifications, and marks what they have to tell.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/revision.hpp"
#include "mcp/definition.hpp"
#include "mcp/detail/server_state.hpp"
#include "mcp/json/writer.hpp"

namespace mcp::protocol {

/// Begins a notification: up to the quote behind its name, `notifications/` and this.
void name_notification(json::Writer& out, const char* name);
/// The same, and up to the brace of its params.
void notification_begin(json::Writer& out, const char* name);

/// What a notification of a list is called that changed: one of tools, resources or prompts.
const char* list_changed_name(ListKind area);

/// Begins `resources/updated` of a resource, behind whose `uri` more may come.
void begin_updated(json::Writer& out, const Definition& definition, std::size_t resource);

/// Marks a resource as changed for all who want to know.
void mark_updated(const mcp::detail::StorageView& storage, std::size_t resource);

/// True when clients of this revision can be told that something changed.
bool tells_changes(const Definition& definition, const Revision& revision);
/// Ends a capability whose brace is open.
void end_list_capability(json::Writer& out, const Definition& definition, const Revision& revision);

/// The bit of an area in lists_changed. Resources and templates share one, as they share the notification.
constexpr std::uint8_t list_bit(ListKind area) {
  return static_cast<std::uint8_t>(
      1u << static_cast<unsigned>(area == ListKind::resource_templates ? ListKind::resources : area));
}

}  // namespace mcp::protocol
