// SPDX-License-Identifier: Apache-2.0
// Pings of the server to clients that fell silent. Source: basic/utilities/ping, 2025-11-25.
#include "engine/feature.hpp"
#include "engine/send_context.hpp"
#include "engine/server_request_ids.hpp"

namespace mcp::protocol {
namespace {

using mcp::detail::Session;

// A ping waits until the client sends something. Compares times with now, because a client may have been silent for
// more than 2^31 ms, the largest difference of two times.
bool waits(const Session& session, Millis now) {
  return session.ping_id != 0 && now - session.last_used > now - session.ping_ms;
}

Millis next_action(const KeepAlive& keep_alive, const Session& session, Millis now) {
  return waits(session, now) ? until(session.ping_ms + keep_alive.timeout_ms(), now)
                             : until(session.last_used + keep_alive.interval_ms(), now);
}

bool transmit_keep_alive(SendContext& context) {
  Session& session = context.session;
  if (!context.is_for(session_channel)) return false;
  if (next_action(context.definition.keep_alive, session, context.now) != 0) return false;
  if (waits(session, context.now)) {
    end_session(context);
    return false;
  }
  session.ping_id = new_request_id(context.storage);
  session.ping_ms = context.now;
  context.out.fragment("{\"jsonrpc\":\"2.0\",\"id\":");
  write_request_id(context.out, session.ping_id);
  context.out.fragment("\"method\":\"ping\"}");
  return true;
}

Millis keep_alive_due(const Definition& definition, const mcp::detail::StorageView& storage, Millis now) {
  Millis earliest = forever;
  for (std::size_t i = 0; i < storage.sessions.capacity(); ++i) {
    const Session* const session = storage.sessions.in_use(i);
    if (session == nullptr || session->phase != mcp::detail::Phase::ready || session->no_listener) continue;
    if (storage.is_unfinished(i, session_channel)) continue;
    const Millis in = next_action(definition.keep_alive, *session, now);
    if (in < earliest) earliest = in;
  }
  return earliest;
}

bool answer(SendContext& context, const rpc::Envelope& envelope) {
  Session& session = context.session;
  if (session.ping_id == 0 || read_request_id(envelope.id) != session.ping_id) return false;
  session.ping_id = 0;
  return true;
}

}  // namespace

constinit const Feature keep_alive_feature{{}, transmit_keep_alive, keep_alive_due};
constinit const Feature pong_feature{{}, nullptr, nullptr, nullptr, answer};

}  // namespace mcp::protocol
