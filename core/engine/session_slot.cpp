// SPDX-License-Identifier: Apache-2.0
#include "engine/session_slot.hpp"

#include "engine/hooks.hpp"
#include "engine/owned.hpp"
#include "engine/owners.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "engine/send_context.hpp"
#include "mcp/assert.hpp"

namespace mcp::protocol {

void fail_for_slots(rpc::Response& response, const SlotLimit& limit, const char* begin, const char* what,
                    const char* end, Millis retry_after_ms) {
  response.error_begin(rpc::internal_error);
  response.out.append(begin);
  response.out.append_number(std::uint64_t{limit.most});
  response.out.append(what);
  response.out.append(limit.of);  // " for one client", or nothing
  response.out.append(end);
  end_busy_error(response, retry_after_ms);
}

// Jobs and streams of a session end with it.
bool is_busy(const mcp::detail::StorageView& storage, std::size_t index) {
  return OwnedWalk(storage.jobs, index).next() != nullptr || OwnedWalk(storage.streams, index).next() != nullptr;
}

Millis time_left_in_use(const mcp::detail::StorageView& storage, std::size_t index, std::uint32_t owner, Millis now) {
  const mcp::detail::Session& session = storage.sessions.at(index);
  const Millis limit = session.owner == owner ? storage.own_session_idle_ms : storage.session_idle_ms;
  // Never 0: such a session does not end for a new one.
  if (session.shared || !session.no_listener || is_busy(storage, index)) return limit != 0 ? limit : 1;
  const Millis idle_ms = now - session.last_used;
  return idle_ms < limit ? limit - idle_ms : 0;
}

// Links::find_slot if Limits::sessions is 1, with the rules of find_session_slot() in owners.cpp. An application with
// other debug checks does not link (mcp/detail/link.hpp).
template <bool has_checks>
SessionSlot find_only_slot(const mcp::detail::StorageView& storage, std::uint32_t owner, Millis now) {
  MCP_DEBUG_ASSERT(storage.sessions.capacity() == 1);
  const Millis left_ms = storage.sessions.in_use(0) != nullptr ? time_left_in_use(storage, 0, owner, now) : 0;
  return {left_ms == 0 ? 0 : SessionSlot::none, left_ms, {1, ""}};
}
template SessionSlot find_only_slot<mcp::detail::has_checks>(const mcp::detail::StorageView& storage,
                                                             std::uint32_t owner, Millis now);

SessionSlot find_slot(const mcp::detail::StorageView& storage, const TransportInfo* info, Millis now) {
  SessionSlot slot = storage.links.find_slot(storage, owner_of(info), now);
  // A wire has one client, so a new transport on it takes over the only slot, although the session there listens.
  if (info != nullptr || slot.index != SessionSlot::none || storage.sessions.capacity() != 1) return slot;
  const mcp::detail::Session& session = storage.sessions.at(0);
  if (session.of_wire && !session.shared && !is_busy(storage, 0)) slot.index = 0;
  return slot;
}

void reject_session(SendContext& context, const rpc::Envelope& envelope, const SessionSlot& slot) {
  mcp::detail::count(context.storage.health().sessions_full);
  Request request(context, envelope.id, envelope.params);
  fail_for_slots(request, slot.limit, "All ", " sessions", " are in use; try again later.", slot.due_ms);
  if (const AuditOps* const audit = context.storage.links.audit)
    audit->request(request, envelope.method, /*answered=*/true);
}

}  // namespace mcp::protocol
