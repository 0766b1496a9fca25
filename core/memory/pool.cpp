// SPDX-License-Identifier: Apache-2.0
#include "mcp/memory/pool.hpp"

#include <cstring>

namespace mcp::memory {

Handle Slots::acquire() const {
  for (std::size_t i = 0; i < count_; ++i) {
    if (slot(i)->used()) continue;
    acquire(i);
    return handle_of(i);
  }
  return {};
}

void Slots::acquire(std::size_t index) const {
  Slot* const slot = this->slot(index);
  MCP_DEBUG_ASSERT(!slot->used());
  std::memset(reinterpret_cast<char*>(slot) + sizeof(Slot), 0, size_ - sizeof(Slot));
  ++slot->generation;
}

void Slots::release(Handle h) const {
  if (Slot* const slot = find(h)) ++slot->generation;
}

}  // namespace mcp::memory
