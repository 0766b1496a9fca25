// SPDX-License-Identifier: Apache-2.0
// Looking at several bytes of a JSON string at once. Knows which bytes end a plain run, not what they mean.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mcp::json {

// A string that was decoded in its place is marked by two bytes that occur nowhere in a valid message: it starts with
// `decoded_open` in place of its quote, ends with `decoded_close`, and the bytes that the escapes took more are spaces
// behind it.
inline constexpr char decoded_open = '\x01';
inline constexpr char decoded_close = '\xFF';

/// True for a byte that stands for itself inside a JSON string: printable ASCII except the quote and the backslash.
constexpr bool is_plain(char c) {
  const auto byte = static_cast<std::uint8_t>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

constexpr bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Behind the white space at `at`, in a text that has been checked: of the bytes below it only one begins anything.
inline const char* skip_space(const char* at) {
  while (static_cast<std::uint8_t>(*at) <= ' ' && *at != decoded_open) ++at;
  return at;
}

/// First byte in [at, end) that is not plain, or `end`. Reads a machine word at a time.
inline const char* skip_plain(const char* at, const char* end) {
  using Word = std::size_t;
  constexpr Word ones = static_cast<Word>(-1) / 0xFF;  // 0x01 in every byte
  constexpr Word highs = ones * 0x80;
  if (static_cast<std::size_t>(end - at) >= sizeof(Word)) {
    // The last word ends at `end`: of its bytes some are looked at once more.
    const char* const last = end - sizeof(Word);
    for (;;) {
      Word word;
      std::memcpy(&word, at, sizeof word);
      // A byte's high bit is set in `hits` where the byte is below 0x20, a quote, a backslash or above 0x7F. A borrow
      // can set it wrongly, but only above a true hit: "none" is exact, and so is the lowest. With bit 1 turned over,
      // the quote stands right above the control characters, which stay among themselves.
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
