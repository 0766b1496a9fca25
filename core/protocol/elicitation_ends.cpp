// notifications/elicitation/complete. Source: client/elicitation#completion-notifications, 2025-11-25.
#include <cstring>

#include "mcp/server.hpp"
#include "protocol/request.hpp"

namespace mcp {

bool Server::elicitation_completed(SessionId client, std::string_view id) {
  if (storage_.sessions.find(client) == nullptr || id.size() > sizeof(detail::ElicitationEnd::id)) return false;
  detail::ElicitationEnd* const end = storage_.elicitation_ends.find(storage_.elicitation_ends.acquire());
  if (end == nullptr) return false;
  end->session = client;
  end->size = static_cast<std::uint8_t>(id.size());
  if (!id.empty()) std::memcpy(end->id, id.data(), id.size());
  return true;
}

namespace protocol {
namespace {

bool transmit(Outbound& outbound) {
  const auto& ends = outbound.storage.elicitation_ends;
  for (std::size_t i = 0; i < ends.capacity(); ++i) {
    const memory::Handle handle = owned_by(outbound.session_index, outbound.storage.elicitation_ends, i);
    const mcp::detail::ElicitationEnd* const end = ends.find(handle);
    if (end == nullptr || !outbound.is_for(session_channel)) continue;
    outbound.out.fragment(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/elicitation/complete\",\"params\":{\"elicitationId\":");
    outbound.out.string(std::string_view(end->id, end->size));
    outbound.out.fragment("}}");
    ends.release(handle);
    return outbound.out.ok();
  }
  return false;
}

void close(Outbound& outbound) {
  for (std::size_t i = 0; i < outbound.storage.elicitation_ends.capacity(); ++i) {
    outbound.storage.elicitation_ends.release(owned_by(outbound.session_index, outbound.storage.elicitation_ends, i));
  }
}

}  // namespace

constinit const Feature elicitation_ends_feature{{}, nullptr, transmit, nullptr, close};

}  // namespace protocol
}  // namespace mcp
