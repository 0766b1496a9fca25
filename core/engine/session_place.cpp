// SPDX-License-Identifier: Apache-2.0
#include "engine/session_place.hpp"

#include "engine/hooks.hpp"
#include "engine/owned.hpp"
#include "engine/owners.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "engine/send_context.hpp"

namespace mcp::protocol {

void fail_for_place(rpc::Response& response, const PlaceLimit& limit, const char* begin, const char* what,
                    const char* end, Millis retry_after_ms) {
  response.error_begin(rpc::internal_error);
  response.out.append(begin);
  response.out.append_number(std::uint64_t{limit.most});
  response.out.append(what);
  response.out.append(limit.of);
  response.out.append(end);
  end_busy_error(response, retry_after_ms);
}

// Jobs and streams of a session end with it.
bool is_busy(const mcp::detail::StorageView& storage, std::size_t index) {
  return OwnedWalk(storage.jobs, index).next() != nullptr || OwnedWalk(storage.streams, index).next() != nullptr;
}

// For the only slot there is, with the rules of find_session_place().
SessionPlace find_only_place(const mcp::detail::StorageView& storage, std::uint32_t owner, Millis now) {
  constexpr PlaceLimit one{1, ""};
  const mcp::detail::Session* const session = storage.sessions.in_use(0);
  if (session == nullptr) return {0, 0, one};
  const bool own = session->owner == owner;
  const bool stays = session->shared || is_busy(storage, 0) || (!own && !session->no_listener);
  if (stays) return {SessionPlace::none, storage.session_idle_ms, one};
  const Millis idle_ms = now - session->last_used;
  const bool must_wait = owner != 0 && (!own || !session->no_listener);
  if (!must_wait || idle_ms >= storage.session_idle_ms) return {0, 0, one};
  return {SessionPlace::none, storage.session_idle_ms - idle_ms, one};
}

void reject_session(SendContext& context, const rpc::Envelope& envelope, const SessionPlace& place) {
  mcp::detail::count(context.storage.health().sessions_full);
  Request request(context, envelope.id, envelope.params);
  fail_for_place(request, place.limit, "All ", " sessions", " are in use; try again later.", place.due_ms);
  if (const AuditOps* const audit = context.storage.links.audit) audit->request(request, envelope.method, true);
}

}  // namespace mcp::protocol
