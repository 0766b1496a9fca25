// SPDX-License-Identifier: Apache-2.0
// Walks over the objects of a session.
#pragma once

#include <concepts>
#include <cstddef>

#include "engine/send_context.hpp"
#include "mcp/detail/server_state.hpp"
#include "mcp/memory/pool.hpp"

namespace mcp::protocol {

/// Walks over the objects of a session, in a pool of detail::Owned.
class OwnedWalk : public memory::SlotWalk {
 public:
  OwnedWalk(const memory::Slots& pool, std::size_t session_index) : SlotWalk(pool), session_index_(session_index) {}
  [[nodiscard]] mcp::detail::Owned* next() {
    while (auto* const owned = static_cast<mcp::detail::Owned*>(SlotWalk::next())) {
      if (owned->session == session_index_) return owned;
    }
    return nullptr;
  }

 private:
  std::size_t session_index_;
};
template <std::derived_from<mcp::detail::Owned> T>
class WalkOf : public OwnedWalk {
 public:
  WalkOf(const memory::Pool<T>& pool, std::size_t session_index) : OwnedWalk(pool, session_index) {}
  WalkOf(const memory::Pool<T>& pool, const SendContext& context) : OwnedWalk(pool, context.session_index) {}
  [[nodiscard]] T* next() { return static_cast<T*>(OwnedWalk::next()); }
};

}  // namespace mcp::protocol
