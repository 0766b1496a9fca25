// SPDX-License-Identifier: Apache-2.0
/// @file
/// Bytes of a frame in the FIFO of an Ethernet controller, which transfers words of four bytes.
/// @code
/// volatile std::uint32_t fifo_register;
/// void send(std::span<const std::uint8_t> frame) {
///   board::WordWriter fifo([](std::uint32_t word) { fifo_register = word; });
///   fifo.write(frame);
///   fifo.end();
/// }
/// void receive(std::span<std::uint8_t> frame) {
///   board::read_words([] { return std::uint32_t{fifo_register}; }, frame);
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace board {

/// Writes bytes as words, the first byte in the lowest bits, on a little-endian processor. `Put` is called with each
/// word. Context: main loop; blocks as long as `Put`.
template <class Put>
class WordWriter {
 public:
  /// Begins with the first byte of a word.
  explicit WordWriter(Put put) : put_(put) {}
  /// Begins with two bytes, such as a length.
  WordWriter(Put put, std::uint16_t begin) : put_(put), word_(begin), shift_(16) {}

  /// Writes the next bytes. Up to three of them wait for the next call.
  void write(std::span<const std::uint8_t> bytes) {
    while (bytes.size() >= sizeof word_) {
      std::uint32_t next;
      std::memcpy(&next, bytes.data(), sizeof next);
      put_(word_ | next << shift_);
      word_ = next >> 1 >> (31 - shift_);  // no bit if `shift_` is 0
      bytes = bytes.subspan(sizeof next);
    }
    for (const std::uint8_t byte : bytes) {
      word_ |= std::uint32_t{byte} << shift_;
      shift_ = (shift_ + 8) % 32;
      if (shift_ != 0) continue;
      put_(word_);
      word_ = 0;
    }
  }

  /// Writes the waiting bytes, followed by zero bytes.
  void end() {
    if (shift_ != 0) put_(word_);
  }

 private:
  Put put_;
  std::uint32_t word_ = 0;
  unsigned shift_ = 0;
};

/// Reads words until `into` is full. `next` returns the next word; its unused bytes are lost.
/// Context: main loop; blocks as long as `next`.
template <class Next>
void read_words(Next next, std::span<std::uint8_t> into) {
  for (; into.size() >= 4; into = into.subspan(4)) {
    const std::uint32_t word = next();
    std::memcpy(into.data(), &word, sizeof word);
  }
  std::uint32_t word = into.empty() ? 0 : next();
  for (std::uint8_t& byte : into) {
    byte = static_cast<std::uint8_t>(word);
    word >>= 8;
  }
}

}  // namespace board

#include <mcp/detail/epilogue.hpp>
