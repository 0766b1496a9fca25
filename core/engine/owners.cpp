// SPDX-License-Identifier: Apache-2.0
// The share of each owner in the pools, and the slot of a new session.
#include "engine/owners.hpp"

#include "engine/send_context.hpp"
#include "engine/session_slot.hpp"
#include "mcp/assert.hpp"
#include "mcp/detail/server_state.hpp"

namespace mcp::protocol {

using mcp::detail::Owned;
using mcp::detail::Session;
using mcp::detail::StorageView;

std::size_t share_of(const StorageView& storage, std::uint32_t owner, std::size_t slots) {
  if (owner == 0 || slots < 2) return slots;
  return slots > storage.reserved_for_others ? slots - storage.reserved_for_others : 1;
}

SlotLimit slot_limit(std::size_t share, std::size_t slots, bool is_share) {
  MCP_DEBUG_ASSERT(share <= slots);
  if (is_share && share < slots) return {share, " for one client"};
  return {slots, ""};
}

bool holds_share(const SendContext& context, const memory::Slots& pool) {
  const std::uint32_t owner = context.owner();
  std::size_t left = share_of(context.storage, owner, pool.capacity());
  memory::SlotWalk all(pool);
  while (const auto* const owned = static_cast<const Owned*>(all.next())) {
    if (owned->owner == owner && --left == 0) return true;
  }
  return left == 0;
}

SlotLimit slot_limit(const SendContext& context, const memory::Slots& pool) {
  const std::size_t slots = pool.capacity();
  return slot_limit(share_of(context.storage, context.owner(), slots), slots, holds_share(context, pool));
}

memory::Handle acquire_slot(const SendContext& context, const memory::Slots& pool) {
  if (holds_share(context, pool)) return {};
  const memory::Handle handle = pool.acquire();
  if (handle == memory::Handle{}) return {};
  auto& owned = static_cast<Owned&>(pool.at(handle));
  MCP_DEBUG_ASSERT(context.session_index <= context.storage.detached_session());
  owned.session = static_cast<std::uint16_t>(context.session_index);
  owned.owner = context.owner();
  return handle;
}

namespace {

/// Selects the slot of a new session: first a session of its own owner.
class SlotSearch {
 public:
  SlotSearch(const StorageView& storage, std::uint32_t owner, Millis now)
      : storage_(storage), owner_(owner), now_(now) {}

  SessionSlot find() {
    const std::size_t count = storage_.sessions.capacity();
    std::size_t slots = count;
    std::size_t own = 0;
    std::size_t free = SessionSlot::none;
    for (std::size_t i = 0; i < count; ++i) {
      const Session* const session = storage_.sessions.in_use(i);
      if (session == nullptr) {
        if (free == SessionSlot::none) free = i;
      } else if (session->shared) {
        --slots;
      } else if (session->owner == owner_) {
        ++own;
      }
    }
    const std::size_t share = share_of(storage_, owner_, slots);
    if (own < share && free != SessionSlot::none) return {free, 0, slot_limit(share, slots, false)};
    own_only_ = own >= share;
    for (std::size_t i = 0; i < count; ++i) look_at(i);
    return {best_, best_ != SessionSlot::none ? 0 : due_ms_, slot_limit(share, slots, own_only_)};
  }

 private:
  void look_at(std::size_t index) {
    const Session* const session = storage_.sessions.in_use(index);
    if (session == nullptr || session->shared) return;
    const bool own = session->owner == owner_;
    if (!own && own_only_) return;
    const Millis left_ms = time_left_in_use(storage_, index, owner_, now_);
    if (left_ms != 0) {
      if (left_ms < due_ms_) due_ms_ = left_ms;
      return;
    }
    const Millis idle_ms = now_ - session->last_used;
    if (best_ != SessionSlot::none && (own_ != own ? own_ : !is_older(*session, idle_ms))) return;
    own_ = own;
    idle_ms_ = idle_ms;
    best_ = index;
  }

  // Of two that are silent for as long, the one that began first.
  [[nodiscard]] bool is_older(const Session& session, Millis idle_ms) const {
    if (idle_ms != idle_ms_) return idle_ms > idle_ms_;
    const Session& best = storage_.sessions.at(best_);
    if (session.serial_high != best.serial_high) return session.serial_high < best.serial_high;
    return session.serial_low < best.serial_low;
  }

  const StorageView& storage_;
  std::uint32_t owner_;
  Millis now_;
  Millis due_ms_ = forever;
  Millis idle_ms_ = 0;
  bool own_ = false;
  bool own_only_ = false;
  std::size_t best_ = SessionSlot::none;
};

}  // namespace

template <bool has_checks>
SessionSlot find_session_slot(const StorageView& storage, std::uint32_t owner, Millis now) {
  return SlotSearch(storage, owner, now).find();
}
template SessionSlot find_session_slot<mcp::detail::has_checks>(const StorageView&, std::uint32_t, Millis);

}  // namespace mcp::protocol
