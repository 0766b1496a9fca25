// SPDX-License-Identifier: Apache-2.0
// Scans several bytes of a JSON string at once.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mcp::json {

// Value::string() decodes a string in the message itself. The string then begins with `decoded_open` instead of its
// quote, and ends with `decoded_close`. Neither byte is in a valid message. Spaces fill the rest of the old string.
inline constexpr char decoded_open = '\x01';
inline constexpr char decoded_close = '\xFF';

/// True for a byte that stands for itself inside a JSON string: printable ASCII except the quote and the backslash.
constexpr bool is_plain(char c) {
  const auto byte = static_cast<std::uint8_t>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

constexpr bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Returns the first byte from `at` on that is not white space. Only for a validated text, where `decoded_open` is the
/// only other byte up to the space.
inline const char* skip_space(const char* at) {
  while (static_cast<std::uint8_t>(*at) <= ' ' && *at != decoded_open) ++at;
  return at;
}

/// Returns the first byte in [at, end) that is not plain, or `end`. Reads a machine word at a time.
inline const char* skip_plain(const char* at, const char* end) {
  using Word = std::size_t;
  constexpr Word ones = static_cast<Word>(-1) / 0xFF;  // 0x01 in every byte
  constexpr Word highs = ones * 0x80;
  if (static_cast<std::size_t>(end - at) >= sizeof(Word)) {
    // The last word ends at `end`, so some of its bytes are scanned twice.
    const char* const last = end - sizeof(Word);
    for (;;) {
      Word word;
      std::memcpy(&word, at, sizeof word);
      // The high bit of a byte is set in `hits` if the byte is below 0x20, a quote, a backslash or above 0x7F. A borrow
      // can set it wrongly, but only above a true hit. So the lowest hit is exact, and so is a word without a hit.
      // With bit 1 inverted, the quote is directly above the control characters.
      static_assert(('"' ^ 0x02) == 0x20);
      const Word backslash = word ^ (ones * '\\');
      const Word hits = (((word ^ (ones * 0x02)) - ones * 0x21) | (backslash - ones) | word) & highs;
      if (hits != 0) {
        if constexpr (std::endian::native != std::endian::little) break;
        return at + static_cast<unsigned>(std::countr_zero(hits)) / 8;
      }
      const auto left = static_cast<std::size_t>(last - at);
      if (left == 0) return end;
      at += left < sizeof(Word) ? left : sizeof(Word);
    }
  }
  while (at != end && is_plain(*at)) ++at;
  return at;
}

}  // namespace mcp::json

#include <mcp/detail/epilogue.hpp>
