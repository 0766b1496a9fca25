// Bytes from an interrupt to the main loop, without locks. Knows no hardware.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace board {

/// A ring of `capacity` bytes (a power of two) for one producer and one consumer, each of which may interrupt the other
/// at any point. All of `capacity` is usable. Zero-initialised it is empty.
///
/// Each position counts bytes since the beginning, has one writer, and wraps at 2^16, which a power of two divides: so
/// full and empty differ without a spare byte.
template <std::size_t capacity>
class InterruptRing {
  static_assert(capacity > 0 && (capacity & (capacity - 1)) == 0, "the size of a ring must be a power of two");
  static_assert(capacity <= 32'768, "the positions of a ring have 16 bits");

 public:
  /// Bytes waiting. Context: either side; the other one may change it at once, in its own direction only.
  [[nodiscard]] std::size_t size() const {
    return static_cast<std::uint16_t>(pushed_.load(std::memory_order_acquire) -
                                      popped_.load(std::memory_order_acquire));
  }

  /// Whether push() would be refused. Context: as for size().
  [[nodiscard]] bool full() const { return size() == capacity; }

  /// Adds one byte; false, and nothing changed, if the ring is full. Context: producer only. Never blocks.
  bool push(char byte) {
    if (full()) return false;
    const std::uint16_t pushed = pushed_.load(std::memory_order_relaxed);
    bytes_[pushed % capacity] = byte;
    pushed_.store(static_cast<std::uint16_t>(pushed + 1), std::memory_order_release);
    return true;
  }

  /// Moves the oldest bytes into `into`, as many as there are and fit; returns how many. Context: consumer only. Never
  /// blocks.
  std::size_t pop(std::span<char> into) {
    const std::size_t count = std::min(size(), into.size());
    const std::uint16_t popped = popped_.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < count; ++i) into[i] = bytes_[(popped + i) % capacity];
    popped_.store(static_cast<std::uint16_t>(popped + count), std::memory_order_release);
    return count;
  }

 private:
  std::atomic<std::uint16_t> pushed_{0};  // Written by the producer
  std::atomic<std::uint16_t> popped_{0};  // Written by the consumer
  char bytes_[capacity]{};
};

}  // namespace board
