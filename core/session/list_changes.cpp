// SPDX-License-Identifier: Apache-2.0
// Rows that are switched off and on at run time, and notifications/…/list_changed.
// Source: server/tools#list-changed-notification and its like for resources and prompts, 2025-11-25.
#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/send_context.hpp"
#include "mcp/assert.hpp"
#include "mcp/server.hpp"

namespace mcp {
namespace protocol {

namespace {

bool transmit_list_changes(SendContext& context) {
  for (const ListKind kind : {ListKind::tools, ListKind::resources, ListKind::prompts}) {
    const std::uint8_t bit = list_bit(kind);
    if ((context.session.lists_changed & bit) == 0 || !context.is_for(session_channel)) continue;
    const auto others = static_cast<std::uint8_t>(~bit);
    context.session.lists_changed &= others;
    share_change(context, [others](std::size_t, mcp::detail::Session& session) { session.lists_changed &= others; });
    begin_without_params(context.out, list_changed_name(kind));
    context.out.object_end();
    return true;
  }
  return false;
}

}  // namespace

constinit const Feature list_changes_feature{{}, transmit_list_changes};

}  // namespace protocol
}  // namespace mcp
