// SPDX-License-Identifier: Apache-2.0
// The share of a pool that one owner may hold.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mcp/detail/server_state.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/memory/pool.hpp"
#include "mcp/port.hpp"
#include "mcp/rpc/response.hpp"

namespace mcp::protocol {

struct SendContext;

/// When to try again after something was taken that may be free at any time.
inline constexpr Millis busy_wait_ms = 1000;
/// Takes a slot for the request in this transmit buffer, zero except for session and owner. The zero handle if no slot
/// is free, or if the owner has used its share.
memory::Handle acquire_slot(const SendContext& context, const memory::Slots& pool);
/// True when the owner of the request holds its share of the pool.
bool holds_share(const SendContext& context, const memory::Slots& pool);
/// The limit that acquire_slot() has met, for a text: a number, and ` for one client` or nothing.
struct SlotLimit {
  std::size_t most;
  json::Text of;
};
SlotLimit slot_limit(const SendContext& context, const memory::Slots& pool);
/// How many of `slots` an owner may use, and the limit for a text: the share, or all slots.
std::size_t share_of(const mcp::detail::StorageView& storage, std::uint32_t owner, std::size_t slots);
SlotLimit slot_limit(std::size_t share, std::size_t slots, bool is_share);

}  // namespace mcp::protocol
