#include "memory/pool.hpp"

#include <cstring>

namespace mcp::memory {

Handle Slots::acquire() const {
  for (std::size_t i = 0; i < count_; ++i) {
    Slot* const slot = this->slot(i);
    if (slot->used()) continue;
    std::memset(reinterpret_cast<char*>(slot) + sizeof(Slot), 0, size_ - sizeof(Slot));
    ++slot->generation;
    return at(i);
  }
  return {};
}

void Slots::release(Handle h) const {
  if (Slot* const slot = find(h)) ++slot->generation;
}

}  // namespace mcp::memory
