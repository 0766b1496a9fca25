// SPDX-License-Identifier: Apache-2.0
// A set of bits in words that the caller owns. Context: main loop.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/assert.hpp"

namespace mcp::memory {

/// A view of bits. Ownership: the words belong to the caller, and begin as zero.
class BitSet {
 public:
  using Word = std::uint32_t;
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  /// Returns the number of words for `bits` bits.
  static constexpr std::size_t words_for(std::size_t bits) { return (bits + 31) / 32; }

  constexpr explicit BitSet(std::span<Word> words) : words_(words) {}

  constexpr void set(std::size_t bit) { word_of(bit) |= mask(bit); }
  constexpr void reset(std::size_t bit) { word_of(bit) &= ~mask(bit); }
  [[nodiscard]] constexpr bool test(std::size_t bit) const { return (word_of(bit) & mask(bit)) != 0; }

  constexpr void clear() {
    for (Word& word : words_) word = 0;
  }

  /// Returns the lowest bit that is set, or npos.
  [[nodiscard]] constexpr std::size_t first() const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (words_[i] != 0) return i * 32 + static_cast<std::size_t>(std::countr_zero(words_[i]));
    }
    return npos;
  }
  /// Returns the lowest bit from `from` on that is set, or npos. Slower than first().
  [[nodiscard]] constexpr std::size_t first_from(std::size_t from) const {
    for (; from < words_.size() * 32; ++from) {
      if (test(from)) return from;
    }
    return npos;
  }

 private:
  [[nodiscard]] constexpr Word& word_of(std::size_t bit) const {
    MCP_DEBUG_ASSERT(bit / 32 < words_.size());
    return words_[bit / 32];
  }
  static constexpr Word mask(std::size_t bit) { return Word{1} << (bit % 32); }

  std::span<Word> words_;
};

}  // namespace mcp::memory

#include <mcp/detail/epilogue.hpp>
