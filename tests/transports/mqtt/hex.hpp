// SPDX-License-Identifier: Apache-2.0
// Bytes as hexadecimal digits.
#pragma once

#include <string>
#include <string_view>

namespace test {

/// Returns the bytes of pairs of digits. Spaces are ignored.
inline std::string from_hex(std::string_view text) {
  std::string bytes;
  int high = -1;
  for (const char c : text) {
    if (c == ' ') continue;
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    if (high < 0) {
      high = digit;
    } else {
      bytes += static_cast<char>(high * 16 + digit);
      high = -1;
    }
  }
  return bytes;
}

/// Returns two digits for each byte.
inline std::string to_hex(std::string_view bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    text += digits[static_cast<unsigned char>(c) >> 4];
    text += digits[c & 15];
  }
  return text;
}

}  // namespace test
