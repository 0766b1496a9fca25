#include "json/scan.hpp"

#include <bit>
#include <cstddef>
#include <cstring>

namespace mcp::json {

const char* skip_plain(const char* at, const char* end) {
  using Word = std::size_t;
  constexpr Word ones = static_cast<Word>(-1) / 0xFF;  // 0x01 in every byte
  constexpr Word highs = ones * 0x80;
  while (static_cast<std::size_t>(end - at) >= sizeof(Word)) {
    Word word;
    std::memcpy(&word, at, sizeof word);
    // A byte's high bit is set in `hits` where the byte is below 0x20, a quote, a backslash or above 0x7F. A borrow can
    // set it wrongly, but only above a true hit: "none" is exact, and so is the lowest.
    const Word quote = word ^ (ones * '"');
    const Word backslash = word ^ (ones * '\\');
    const Word hits = ((word - ones * 0x20) | (quote - ones) | (backslash - ones) | word) & highs;
    if (hits != 0) {
      if constexpr (std::endian::native != std::endian::little) break;
      return at + static_cast<unsigned>(std::countr_zero(hits)) / 8;
    }
    at += sizeof(Word);
  }
  while (at != end && is_plain(*at)) ++at;
  return at;
}

}  // namespace mcp::json
