// UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF. Knows no JSON.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mcp::json {

/// Length in bytes (1 to 4) of the well-formed UTF-8 sequence that starts at `at`, or 0 when none starts there.
/// `at < end`; reads no byte at or behind `end`. RFC 3629 section 4, table of syntax.
constexpr std::size_t utf8_length(const char* at, const char* end) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(at[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || static_cast<std::size_t>(end - at) < length) return 0;

  // Only the second byte has bounds that depend on the lead: they keep out overlong forms, surrogates and > U+10FFFF.
  const std::uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const std::uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

// Marks of the first byte, by the number of bytes that follow it.
inline constexpr std::uint8_t lead_marks[] = {0, 0xC0, 0xE0, 0xF0};

/// Writes `code` (a Unicode scalar value) at `at` (room for 4 bytes) and returns the end.
constexpr char* write_utf8(char* at, std::uint32_t code) {
  if (code < 0x80) {
    *at++ = static_cast<char>(code);
    return at;
  }
  const unsigned continuation_bytes = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  *at++ = static_cast<char>(lead_marks[continuation_bytes] | (code >> (6 * continuation_bytes)));
  for (unsigned i = continuation_bytes; i-- > 0;) *at++ = static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3F));
  return at;
}

}  // namespace mcp::json
