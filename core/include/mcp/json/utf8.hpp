// SPDX-License-Identifier: Apache-2.0
// UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mcp::json {

/// The UTF-8 bytes of U+FEFF. Some programs write it at the begin of a text.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Returns the bytes (1 to 4) of the well-formed UTF-8 sequence at `at`; 0 if it is not well formed. `at < end`. Reads
/// no byte from `end` on. Source: RFC 3629 section 4.
constexpr std::size_t utf8_length(const char* at, const char* end) {
  const auto lead = static_cast<std::uint8_t>(*at);
  if (lead < 0x80) return 1;
  const auto length = static_cast<unsigned>(std::countl_zero(~std::uint32_t{lead} << 24));
  if (lead < 0xC2 || lead > 0xF4 || static_cast<std::size_t>(end - at) < length) return 0;
  std::uint32_t code = lead & (0x7Fu >> length);
  for (unsigned i = 1; i < length; ++i) {
    const auto byte = static_cast<std::uint8_t>(at[i]);
    if (byte >> 6 != 2) return 0;
    code = code << 6 | (byte & 0x3Fu);
  }
  // Rejects overlong forms, surrogates and codes above U+10FFFF. The lead byte rejects overlong forms of two bytes.
  const bool valid = code >> (5 * length - 4) != 0 && code - 0xD800 >= 0x800 && code < 0x11'0000;
  return valid ? length : 0;
}

/// Returns the UTF-8 bytes of `code`, a Unicode scalar value, the first byte in the lowest 8 bits.
constexpr std::uint32_t utf8_bytes(std::uint32_t code) {
  if (code < 0x80) return code;
  std::uint32_t bytes = 0;
  std::uint32_t limit = 0x40;  // of the bits in the first byte
  do {
    bytes = (bytes | 0x80 | (code & 0x3F)) << 8;
    code >>= 6;
    limit >>= 1;
  } while (code >= limit);
  return bytes | (0x100 - 2 * limit) | code;
}

}  // namespace mcp::json

#include <mcp/detail/epilogue.hpp>
