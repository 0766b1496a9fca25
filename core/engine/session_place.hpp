// SPDX-License-Identifier: Apache-2.0
// Which place of Limits::sessions a new session takes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/owners.hpp"
#include "mcp/detail/server_state.hpp"
#include "mcp/port.hpp"
#include "mcp/transport_info.hpp"
#include "rpc/envelope.hpp"

namespace mcp::protocol {

struct SendContext;

/// Which slot of Limits::sessions a new session takes (Links::find_place).
struct SessionPlace {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t index;  // perhaps of a session that has to end for it
  Millis due_ms;      // without a place: after how long there is one, if no client sends anything until then
  PlaceLimit limit;   // without a place: which it was
};
/// True when something runs in the session, which is lost with it.
bool is_busy(const mcp::detail::StorageView& storage, std::size_t index);
/// Writes an error with this limit: `begin`, the number, `what`, the owner, `end`. Its data contains the retry time.
void fail_for_place(rpc::Response& response, const PlaceLimit& limit, const char* begin, const char* what,
                    const char* end, Millis retry_after_ms = busy_wait_ms);
/// Responds to an initialize without a free slot.
void reject_session(SendContext& context, const rpc::Envelope& envelope, const SessionPlace& place);
/// TransportInfo::owner(), 0 without a TransportInfo.
inline std::uint32_t owner_of(const TransportInfo* info) { return info != nullptr ? info->owner() : 0; }

}  // namespace mcp::protocol
