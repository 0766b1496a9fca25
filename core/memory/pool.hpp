// A fixed number of slots, reached by handles that go stale when their slot is given back. Knows nothing of what it
// holds.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace mcp::memory {

/// Names one use of one slot. All zero is a handle that was never valid. Aligned and compared as the one word that it
/// is: it is copied and looked at in many places.
struct alignas(std::uint32_t) Handle {
  std::uint16_t index = 0;
  std::uint16_t generation = 0;
  friend constexpr bool operator==(Handle a, Handle b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
  }
};

/// One slot of a pool. All zero is a free slot. The generation is odd while the slot is in use, and goes up by one on
/// each acquire and release, so a stale handle is found out unless its slot was reused 32768 times in between.
template <class T>
struct Slot {
  std::uint16_t generation;
  T value;
};

/// The pool itself: a view of slots that somebody else owns and that start as zero.
template <class T>
class Pool {
 public:
  constexpr Pool() = default;
  constexpr explicit Pool(std::span<Slot<T>> slots) : slots_(slots) {}

  [[nodiscard]] constexpr std::size_t capacity() const { return slots_.size(); }

  /// Takes a free slot, its value reset to T{}. The zero handle when all are in use.
  [[nodiscard]] constexpr Handle acquire() const {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (used(i)) continue;
      slots_[i].value = T{};
      ++slots_[i].generation;
      return handle(i);
    }
    return {};
  }

  /// The value behind a handle, or nullptr when the handle is stale.
  [[nodiscard]] constexpr T* find(Handle h) const {
    const bool valid = h.index < slots_.size() && slots_[h.index].generation == h.generation && used(h.index);
    return valid ? &slots_[h.index].value : nullptr;
  }

  /// The value in slot `index`, or nullptr when that is free. For walking over all that is in use.
  [[nodiscard]] constexpr T* in_use(std::size_t index) const { return used(index) ? &slots_[index].value : nullptr; }

  /// Gives a slot back. Nothing happens when the handle is stale.
  constexpr void release(Handle h) const {
    if (find(h) != nullptr) ++slots_[h.index].generation;
  }

  /// The handle of slot `index` if that is in use, else the zero handle. For walking over all that is in use.
  [[nodiscard]] constexpr Handle at(std::size_t index) const { return used(index) ? handle(index) : Handle{}; }

 private:
  [[nodiscard]] constexpr bool used(std::size_t i) const { return (slots_[i].generation & 1u) != 0; }
  [[nodiscard]] constexpr Handle handle(std::size_t i) const {
    return {static_cast<std::uint16_t>(i), slots_[i].generation};
  }

  std::span<Slot<T>> slots_;
};

}  // namespace mcp::memory
