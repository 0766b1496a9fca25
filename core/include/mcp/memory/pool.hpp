// SPDX-License-Identifier: Apache-2.0
// A fixed number of slots. A handle names a slot, and becomes stale when the slot is released.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "mcp/assert.hpp"
#include "mcp/memory/generation.hpp"

namespace mcp::memory {

/// Names one use of one slot. A handle of all zero is never valid. It is copied and compared in many places, so it is
/// one word.
struct Handle {
  std::uint32_t index : 16 = 0;
  std::uint32_t generation : 16 = 0;
  friend constexpr bool operator==(Handle a, Handle b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
  }
};

/// The base of each object in a pool. Only the pool uses it. A slot of all zero is free. The generation is odd while
/// the slot is in use, and increases by one on each acquire and release. A stale handle becomes valid again after
/// 2^(generation_bits - 1) reuses of its slot, so clear all handles of an object when it ends.
struct Slot {
  std::uint16_t generation : generation_bits = 0;
  [[nodiscard]] bool used() const { return (generation & 1u) != 0; }
};

/// A pool of slots of any type, so that all pools share their code. One more slot may follow the pool. Walks skip it,
/// and only acquire() with its index takes it.
class Slots {
 public:
  [[nodiscard]] constexpr std::size_t capacity() const { return count_; }
  /// Returns the distance of two slots, in bytes.
  [[nodiscard]] std::size_t slot_size() const { return size_; }

  /// Takes a free slot and sets it to zero. Errors: returns the zero handle if all slots are in use.
  [[nodiscard]] Handle acquire() const;

  /// Takes slot `index`, which must be free, and sets it to zero.
  void acquire(std::size_t index) const;

  /// Returns the slot of a handle; nullptr if the handle is stale.
  [[nodiscard]] Slot* find(Handle h) const {
    if (h.index >= count_) return nullptr;
    Slot* const slot = this->slot(h.index);
    return slot->generation == h.generation && slot->used() ? slot : nullptr;
  }

  /// Returns the slot of a handle, which must not be stale. Errors: MCP_DEBUG_ASSERT. For a handle that may be stale,
  /// use find().
  [[nodiscard]] Slot& at(Handle h) const {
    MCP_DEBUG_ASSERT(find(h) != nullptr);
    return *slot(h.index);
  }

  /// Returns slot `index`, which must be in use. Errors: MCP_DEBUG_ASSERT.
  [[nodiscard]] Slot& at(std::size_t index) const {
    MCP_DEBUG_ASSERT(slot(index)->used());
    return *slot(index);
  }

  /// Returns slot `index`; nullptr if it is free. For loops over the slots in use.
  [[nodiscard]] Slot* in_use(std::size_t index) const {
    Slot* const slot = this->slot(index);
    return slot->used() ? slot : nullptr;
  }

  /// Returns whether slot `index` was ever in use. A free slot after 2^(generation_bits - 1) uses looks unused.
  [[nodiscard]] bool was_used(std::size_t index) const { return slot(index)->generation != 0; }

  /// Releases a slot. Does nothing if the handle is stale.
  void release(Handle h) const;

  /// Returns the handle of slot `index`; the zero handle if the slot is free. For loops over the slots in use.
  [[nodiscard]] Handle handle_of(std::size_t index) const {
    const Slot* const slot = this->slot(index);
    return slot->used() ? Handle{static_cast<std::uint16_t>(index), slot->generation} : Handle{};
  }

 protected:
  constexpr Slots() = default;
  constexpr Slots(Slot* first, std::size_t count, std::size_t size)
      : first_(first), count_(static_cast<std::uint16_t>(count)), size_(static_cast<std::uint16_t>(size)) {
    MCP_DEBUG_ASSERT(count <= 0xFFFF && size <= 0xFFFF);
  }

 private:
  friend class SlotWalk;
  [[nodiscard]] Slot* slot(std::size_t index) const {
    MCP_DEBUG_ASSERT(index <= count_);
    return reinterpret_cast<Slot*>(reinterpret_cast<char*>(first_) + index * size_);
  }

  Slot* first_ = nullptr;
  std::uint16_t count_ = 0;
  std::uint16_t size_ = 0;  // the size of one slot, in bytes
};

/// A pool of T, which is valid when it is all zero. Ownership: the slots belong to the caller, and begin as zero.
/// Limits: at most 65535 slots.
template <class T>
class Pool : public Slots {
 public:
  constexpr Pool() = default;
  constexpr explicit Pool(std::span<T> slots) : Slots(slots.data(), slots.size(), sizeof(T)) {
    static_assert(std::derived_from<T, Slot> && std::is_trivially_copyable_v<T> && sizeof(T) <= 0xFFFF);
  }

  /// Slots with further memory after each T: `size` is the distance of two slots, in bytes.
  constexpr Pool(T* first, std::size_t count, std::size_t size) : Slots(first, count, size) {}

  [[nodiscard]] T& at(Handle h) const { return static_cast<T&>(Slots::at(h)); }
  [[nodiscard]] T& at(std::size_t index) const { return static_cast<T&>(Slots::at(index)); }
  [[nodiscard]] T* find(Handle h) const { return static_cast<T*>(Slots::find(h)); }
  [[nodiscard]] T* in_use(std::size_t index) const { return static_cast<T*>(Slots::in_use(index)); }
};

/// Walks over the slots in use. The caller may release slots during the walk.
class SlotWalk {
 public:
  explicit SlotWalk(const Slots& slots) : slots_(slots), at_(slots.first_) {}
  /// Returns the next slot in use; nullptr at the end.
  [[nodiscard]] Slot* next() {
    while (next_ != slots_.count_) {
      Slot* const slot = at_;
      at_ = reinterpret_cast<Slot*>(reinterpret_cast<char*>(slot) + slots_.size_);
      ++next_;
      if (slot->used()) return slot;
    }
    return nullptr;
  }
  /// Returns the index of the slot that next() returned last.
  [[nodiscard]] std::size_t index() const {
    MCP_DEBUG_ASSERT(next_ != 0);
    return next_ - 1;
  }
  [[nodiscard]] Handle handle() const { return slots_.handle_of(index()); }

 private:
  const Slots& slots_;
  Slot* at_;
  std::size_t next_ = 0;
};

template <class T>
class Walk : public SlotWalk {
 public:
  explicit Walk(const Pool<T>& pool) : SlotWalk(pool) {}
  [[nodiscard]] T* next() { return static_cast<T*>(SlotWalk::next()); }
};

}  // namespace mcp::memory

#include <mcp/detail/epilogue.hpp>
