// SPDX-License-Identifier: Apache-2.0
// A fixed number of slots, reached by handles that go stale when their slot is given back. Knows nothing of what it
// holds.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "mcp/memory/generation.hpp"

namespace mcp::memory {

/// Names one use of one slot. All zero is a handle that was never valid. Parts of one word, and compared as that: it is
/// copied and looked at in many places.
struct Handle {
  std::uint32_t index : 16 = 0;
  std::uint32_t generation : 16 = 0;
  friend constexpr bool operator==(Handle a, Handle b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
  }
};

/// What a pool holds begins with this, which is the pool's. All zero is a free slot. The generation is odd while the
/// slot is in use, and goes up by one on each acquire and release. A stale handle becomes valid again when its slot was
/// reused 2^(generation_bits - 1) times: clear what holds a handle when the object ends.
struct Slot {
  std::uint16_t generation : generation_bits = 0;
  [[nodiscard]] bool used() const { return (generation & 1u) != 0; }
};

/// A pool of slots whose type is not known: one code for all pools.
class Slots {
 public:
  [[nodiscard]] std::size_t capacity() const { return count_; }

  /// Takes a free slot, all of it zero. The zero handle when all are in use.
  [[nodiscard]] Handle acquire() const;

  /// Takes slot `index`, which is free. All of it is then zero.
  void acquire(std::size_t index) const;

  /// What is behind a handle, or nullptr when the handle is stale.
  [[nodiscard]] Slot* find(Handle h) const {
    if (h.index >= count_) return nullptr;
    Slot* const slot = this->slot(h.index);
    return slot->generation == h.generation && slot->used() ? slot : nullptr;
  }

  /// What is in slot `index`, or nullptr when that is free. For walking over all that is in use.
  [[nodiscard]] Slot* in_use(std::size_t index) const {
    Slot* const slot = this->slot(index);
    return slot->used() ? slot : nullptr;
  }

  /// Gives a slot back. Nothing happens when the handle is stale.
  void release(Handle h) const;

  /// The handle of slot `index` if that is in use, else the zero handle. For walking over all that is in use.
  [[nodiscard]] Handle at(std::size_t index) const {
    const Slot* const slot = this->slot(index);
    return slot->used() ? Handle{static_cast<std::uint16_t>(index), slot->generation} : Handle{};
  }

 protected:
  constexpr Slots() = default;
  constexpr Slots(Slot* first, std::size_t count, std::size_t size)
      : first_(first), count_(static_cast<std::uint16_t>(count)), size_(static_cast<std::uint16_t>(size)) {}

 private:
  friend class SlotWalk;
  [[nodiscard]] Slot* slot(std::size_t index) const {
    return reinterpret_cast<Slot*>(reinterpret_cast<char*>(first_) + index * size_);
  }

  Slot* first_ = nullptr;
  std::uint16_t count_ = 0;
  std::uint16_t size_ = 0;  // of one, in bytes
};

/// The pool itself: a view of at most 65535 slots that the caller owns and that start as zero. A T that is all zero
/// is a fresh one.
template <class T>
class Pool : public Slots {
 public:
  constexpr Pool() = default;
  constexpr explicit Pool(std::span<T> slots) : Slots(slots.data(), slots.size(), sizeof(T)) {
    static_assert(std::derived_from<T, Slot> && std::is_trivially_copyable_v<T> && sizeof(T) <= 0xFFFF);
  }

  [[nodiscard]] T* find(Handle h) const { return static_cast<T*>(Slots::find(h)); }
  [[nodiscard]] T* in_use(std::size_t index) const { return static_cast<T*>(Slots::in_use(index)); }
};

/// Walks over what is in use. Slots may be given back meanwhile.
class SlotWalk {
 public:
  explicit SlotWalk(const Slots& slots) : slots_(slots), at_(slots.first_) {}
  /// nullptr at the end.
  [[nodiscard]] Slot* next() {
    while (next_ != slots_.count_) {
      Slot* const slot = at_;
      at_ = reinterpret_cast<Slot*>(reinterpret_cast<char*>(slot) + slots_.size_);
      ++next_;
      if (slot->used()) return slot;
    }
    return nullptr;
  }
  /// Of the slot that next() gave last.
  [[nodiscard]] std::size_t index() const { return next_ - 1; }
  [[nodiscard]] Handle handle() const { return slots_.at(index()); }

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
