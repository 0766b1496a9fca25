// SPDX-License-Identifier: Apache-2.0
// notifications/elicitation/complete. Source: client/elicitation#completion-notifications, 2025-11-25.
#include <cstring>

#include "engine/feature.hpp"
#include "engine/notifications.hpp"
#include "engine/owned.hpp"
#include "engine/send_context.hpp"
#include "mcp/server.hpp"

namespace mcp {

namespace protocol {
namespace {

using mcp::detail::ElicitationEnd;

bool transmit_elicitation_complete(SendContext& context) {
  WalkOf<ElicitationEnd> ends(context.storage.elicitation_ends, context);
  while (const ElicitationEnd* const end = ends.next()) {
    if (!context.is_for(session_channel)) continue;
    notification_begin(context.out, "elicitation/complete");
    context.out.member("elicitationId", std::string_view(end->id, end->size));
    context.out.fragment("}}");
    context.storage.elicitation_ends.release(ends.handle());
    return context.out.ok();
  }
  return false;
}

// A notification is for the session, and goes out on whatever channel takes it. A channel of one request ends nothing.
void close_elicitation_complete(SendContext& context) {
  if (context.channel != only_channel) return;
  WalkOf<ElicitationEnd> ends(context.storage.elicitation_ends, context);
  while (ends.next() != nullptr) context.storage.elicitation_ends.release(ends.handle());
}

}  // namespace

constinit const Feature elicitation_ends_feature{
    {}, transmit_elicitation_complete, nullptr, close_elicitation_complete};

}  // namespace protocol
}  // namespace mcp
