// Looking at several bytes of a JSON string at once. Knows which bytes end a plain run, not what they mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mcp::json {

/// True for a byte that stands for itself inside a JSON string: printable ASCII except the quote and the backslash.
constexpr bool is_plain(char c) {
  const auto byte = static_cast<std::uint8_t>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

/// First byte in [at, end) that is not plain, or `end`. Reads a machine word at a time.
inline const char* skip_plain(const char* at, const char* end) {
  using Word = std::size_t;
  constexpr Word ones = static_cast<Word>(-1) / 0xFF;  // 0x01 in every byte
  constexpr Word highs = ones * 0x80;
  while (static_cast<std::size_t>(end - at) >= sizeof(Word)) {
    Word word;
    std::memcpy(&word, at, sizeof word);
    // (x - n) has its high bit set where x < n, once bytes >= 0x80 are taken out; a borrow only runs on from a byte
    // that is itself a hit, so "none" is exact, and that is all that is asked here.
    const Word quote = word ^ (ones * '"');
    const Word backslash = word ^ (ones * '\\');
    if ((((word - ones * 0x20) | (quote - ones) | (backslash - ones) | word) & highs) != 0) break;
    at += sizeof(Word);
  }
  while (at != end && is_plain(*at)) ++at;
  return at;
}

}  // namespace mcp::json
