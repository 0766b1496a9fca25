// Pings of the server to clients that fell silent. Source: basic/utilities/ping, 2025-11-25.
#include "protocol/request.hpp"

namespace mcp::protocol {
namespace {

using mcp::detail::Session;

// A ping waits until anything comes from the client. Held against now: a client may have been silent for more than the
// 2^31 ms by which two times can be apart.
bool waits(const Session& session, Millis now) {
  return session.ping_id != 0 && now - session.last_used > now - session.ping_ms;
}

Millis next_action(const KeepAlive& keep_alive, const Session& session, Millis now) {
  return waits(session, now) ? until(session.ping_ms + keep_alive.timeout_ms(), now)
                             : until(session.last_used + keep_alive.interval_ms(), now);
}

bool transmit(Outbound& outbound) {
  Session& session = outbound.session;
  if (!outbound.is_for(session_channel)) return false;
  if (next_action(outbound.definition.keep_alive, session, outbound.now) != 0) return false;
  if (waits(session, outbound.now)) {
    end_session(outbound);
    return false;
  }
  session.ping_id = new_request_id(outbound.storage);
  session.ping_ms = outbound.now;
  outbound.out.fragment("{\"jsonrpc\":\"2.0\",\"id\":");
  write_request_id(outbound.out, session.ping_id);
  outbound.out.fragment("\"method\":\"ping\"}");
  return true;
}

Millis due(const Definition& definition, const mcp::detail::StorageView& storage, Millis now) {
  Millis earliest = forever;
  for (std::size_t i = 0; i < storage.sessions.capacity(); ++i) {
    const Session* const session = storage.sessions.in_use(i);
    if (session == nullptr || session->phase != mcp::detail::Phase::ready || session->deaf) continue;
    if (storage.is_unfinished(i, session_channel)) continue;
    const Millis in = next_action(definition.keep_alive, *session, now);
    if (in < earliest) earliest = in;
  }
  return earliest;
}

bool answer(Outbound& outbound, const rpc::Envelope& envelope) {
  Session& session = outbound.session;
  if (session.ping_id == 0 || read_request_id(envelope.id) != session.ping_id) return false;
  session.ping_id = 0;
  return true;
}

}  // namespace

constinit const Feature keep_alive_feature{{}, nullptr, transmit, due};
constinit const Feature pong_feature{{}, nullptr, nullptr, nullptr, nullptr, answer};

}  // namespace mcp::protocol
