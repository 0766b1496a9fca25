// SPDX-License-Identifier: Apache-2.0
/// @file
/// A ring buffer for bytes between an interrupt and the main loop, without locks.
/// @code
/// constinit board::InterruptRing<256> received;
/// extern "C" void uart_isr() {
///   while (board::uart_has_byte() && !received.full()) received.push(board::uart_byte());
/// }
/// std::size_t read(std::span<char> into) { return received.pop(into); }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/detail/atomic.hpp"

namespace board {

/// The byte that a driver puts in the place of a damaged byte, and where bytes are lost. It is never valid in UTF-8, so
/// the server rejects the message.
inline constexpr char not_text = '\xFF';

/// A ring buffer of `capacity` bytes for one producer and one consumer. Each may interrupt the other at any point. All
/// bytes are usable. A zero-initialized ring is empty. Limits: `capacity` is a power of two, at most 32,768.
/// RAM: `capacity` + 4 bytes.
///
/// Each of the two positions counts bytes since the beginning and wraps at 2^16. The capacity divides 2^16, so that a
/// full ring differs from an empty one without a spare byte.
template <std::size_t capacity>
class InterruptRing {
  static_assert(capacity > 0 && (capacity & (capacity - 1)) == 0, "the size of a ring must be a power of two");
  static_assert(capacity <= 32'768, "the positions of a ring have 16 bits");

 public:
  /// Returns the number of bytes in the ring. Context: producer or consumer. The other side may change the number at
  /// once. The producer increases it, and the consumer decreases it.
  [[nodiscard]] std::size_t size() const { return static_cast<std::uint16_t>(pushed_.load() - popped_.load()); }

  /// Returns whether push() would fail. Context: as for size().
  [[nodiscard]] bool full() const { return size() == capacity; }

  /// Returns whether a reader of lines should read now. It should if `byte`, the last pushed byte, is the end of a line
  /// (`\n`). It also should each time another half of the ring was pushed. Context: producer.
  [[nodiscard]] bool is_due(char byte) const {
    return byte == '\n' || pushed_.load_relaxed() % ((capacity + 1) / 2) == 0;
  }

  /// Adds one byte. Errors: returns false and changes nothing if the ring is full. Context: producer; never blocks.
  bool push(char byte) {
    if (full()) return false;
    put(byte);
    return true;
  }

  /// Adds bytes while there is space and `next(byte)` returns true. `byte` is `not_text` before that call. Returns
  /// whether a reader of lines has a reason to read (`is_due()`). `Next` is a lambda, so that no call goes through a
  /// pointer. Context: producer.
  template <class Next>
  bool fill(Next next) {
    bool has_reason = false;
    // Passes: each uses one byte of the ring.
    while (!full()) {
      char byte = not_text;
      if (!next(byte)) break;
      put(byte);
      has_reason |= is_due(byte);
    }
    return has_reason;
  }

  /// Moves the oldest bytes into `into`, as many as fit. Returns their number. Context: consumer; never blocks.
  std::size_t pop(std::span<char> into) {
    const std::size_t used = size();
    const std::size_t count = used < into.size() ? used : into.size();
    std::uint16_t popped = popped_.load_relaxed();
    for (std::size_t i = 0; i < count; ++i) into[i] = bytes_[popped++ % capacity];
    popped_.store(popped);
    return count;
  }

  /// Overwrites all bytes that pop() has returned with zeros. Context: consumer, while the producer cannot run.
  void wipe() {
    const std::uint16_t pushed = pushed_.load_relaxed();
    const std::size_t unused = capacity - size();
    for (std::size_t i = 0; i < unused; ++i) {
      volatile char& byte = bytes_[(pushed + i) % capacity];
      byte = 0;
    }
  }

 private:
  // Call only if the ring is not full.
  void put(char byte) {
    const std::uint16_t pushed = pushed_.load_relaxed();
    bytes_[pushed % capacity] = byte;
    pushed_.store(static_cast<std::uint16_t>(pushed + 1));
  }

  mcp::detail::Atomic<std::uint16_t> pushed_{0};  // Written by the producer
  mcp::detail::Atomic<std::uint16_t> popped_{0};  // Written by the consumer
  char bytes_[capacity]{};
};

}  // namespace board

#include <mcp/detail/epilogue.hpp>
