// Rows that are switched off and on at run time, and notifications/…/list_changed.
// Source: server/tools#list-changed-notification and its like for resources and prompts, 2025-11-25.
#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/send_context.hpp"
#include "mcp/assert.hpp"
#include "mcp/server.hpp"

namespace mcp {
namespace {

template <class Row>
std::size_t index_in(std::span<const Row> rows, const Row& row) {
  return static_cast<std::size_t>(&row - rows.data());
}

}  // namespace

void Server::set_enabled(const Tool& tool, bool enabled) const {
  const std::span<const Tool> rows = definition_->tools.rows();
  set_row_enabled(ListKind::tools, index_in(rows, tool), rows.size(), enabled);
}

void Server::set_enabled(const Resource& resource, bool enabled) const {
  const std::span<const Resource> rows = definition_->resources.rows();
  set_row_enabled(ListKind::resources, index_in(rows, resource), rows.size(), enabled);
}

void Server::set_enabled(const ResourceTemplate& resource_template, bool enabled) const {
  const std::span<const ResourceTemplate> rows = definition_->resource_templates.rows();
  set_row_enabled(ListKind::resource_templates, index_in(rows, resource_template), rows.size(), enabled);
}

void Server::set_enabled(const Prompt& prompt, bool enabled) const {
  const std::span<const Prompt> rows = definition_->prompts.rows();
  set_row_enabled(ListKind::prompts, index_in(rows, prompt), rows.size(), enabled);
}

void Server::set_row_enabled(ListKind area, std::size_t index, std::size_t count, bool enabled) const {
  MCP_ASSERT(index < count && !storage_.disabled.empty());  // a row of this server, with .list_changes
  memory::BitSet disabled(storage_.disabled);
  const std::size_t row = definition_->rows_before(area) + index;
  if (disabled.test(row) != enabled) return;
  if (enabled) {
    disabled.reset(row);
  } else {
    disabled.set(row);
  }
  memory::Walk<detail::Session> sessions(storage_.sessions);
  while (detail::Session* const session = sessions.next()) session->lists_changed |= protocol::list_bit(area);
  if (const protocol::SubscriptionOps* const subscriptions = storage_.links.subscriptions) {
    subscriptions->lists_changed(storage_, protocol::list_bit(area));
  }
}

namespace protocol {

namespace {

bool transmit(SendContext& context) {
  for (const ListKind area : {ListKind::tools, ListKind::resources, ListKind::prompts}) {
    const std::uint8_t bit = list_bit(area);
    if ((context.session.lists_changed & bit) == 0 || !context.is_for(session_channel)) continue;
    context.session.lists_changed &= static_cast<std::uint8_t>(~bit);
    name_notification(context.out, list_changed_name(area));
    context.out.object_end();
    return true;
  }
  return false;
}

}  // namespace

constinit const Feature list_changes_feature{{}, nullptr, transmit};

}  // namespace protocol
}  // namespace mcp
