// notifications/elicitation/complete. Source: client/elicitation#completion-notifications, 2025-11-25.
#include <cstring>

#include "engine/feature.hpp"
#include "engine/notifications.hpp"
#include "engine/owned.hpp"
#include "engine/send_context.hpp"
#include "mcp/server.hpp"

namespace mcp {

bool Server::elicitation_completed(SessionId client, std::string_view id) const {
  const detail::Session* const session = storage_.find_session(client);
  if (session == nullptr || id.size() > sizeof(detail::ElicitationEnd::id)) return false;
  // Before initialize there are stateless clients only, and their revision has no such notification.
  if (session->phase == detail::Phase::fresh) return true;
  detail::ElicitationEnd* const end = storage_.elicitation_ends.find(storage_.elicitation_ends.acquire());
  if (end == nullptr) return false;
  end->session = client.index;
  end->size = static_cast<std::uint8_t>(id.size());
  if (!id.empty()) std::memcpy(end->id, id.data(), id.size());
  return true;
}

namespace protocol {
namespace {

using mcp::detail::ElicitationEnd;

bool transmit(SendContext& context) {
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

void close(SendContext& context) {
  WalkOf<ElicitationEnd> ends(context.storage.elicitation_ends, context);
  while (ends.next() != nullptr) context.storage.elicitation_ends.release(ends.handle());
}

}  // namespace

constinit const Feature elicitation_ends_feature{{}, nullptr, transmit, nullptr, close};

}  // namespace protocol
}  // namespace mcp
