// SPDX-License-Identifier: Apache-2.0
// Which slot of Limits::sessions a new session takes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/owners.hpp"
#include "mcp/detail/server_state.hpp"
#include "mcp/port.hpp"
#include "mcp/rpc/envelope.hpp"
#include "mcp/transport_info.hpp"

namespace mcp::protocol {

struct SendContext;

/// Which slot of Limits::sessions a new session takes (Links::find_slot).
struct SessionSlot {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t index;  // perhaps of a session that has to end for it
  Millis due_ms;      // 0 with a slot of Links::find_slot, else the time until one is free if no client sends anything
  SlotLimit limit;    // without a slot: the limit that was met
};
/// True when something runs in the session, which is lost with it.
bool is_busy(const mcp::detail::StorageView& storage, std::size_t index);
/// The time in milliseconds for which a session is in use: until then it does not end for a new session of this owner.
/// 0 if it may end now. While it has a stream, a running job or a streamed body, the time that begins with their end.
Millis time_left_in_use(const mcp::detail::StorageView& storage, std::size_t index, std::uint32_t owner, Millis now);
/// The slot of a new session, for `initialize` and Server::open(). `info` names the client. Without `info`, the client
/// is that of a wire.
SessionSlot find_slot(const mcp::detail::StorageView& storage, const TransportInfo* info, Millis now);
/// Writes an error with this limit: `begin`, the number, `what`, the owner, `end`. Its data contains the retry time.
void fail_for_slots(rpc::Response& response, const SlotLimit& limit, const char* begin, const char* what,
                    const char* end, Millis retry_after_ms = busy_wait_ms);
/// Writes the error for an initialize without a free slot into the transmit buffer. The transport sends it.
void reject_session(SendContext& context, const rpc::Envelope& envelope, const SessionSlot& slot);
/// TransportInfo::owner(), 0 without a TransportInfo.
inline std::uint32_t owner_of(const TransportInfo* info) { return info != nullptr ? info->owner() : 0; }

}  // namespace mcp::protocol
