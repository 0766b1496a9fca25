// SPDX-License-Identifier: Apache-2.0
// Characters of texts, and stand-ins of the characters of ids.
#pragma once

#include <cstdint>
#include <string_view>

#include "mcp/detail/trace_redactor.hpp"
#include "mcp/uri.hpp"

namespace mcp::detail {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// -1 for another character.
constexpr int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  const char small = lower(c);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

inline constexpr std::string_view hex_digits = "0123456789abcdef";
inline constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Another character stays.
inline char hex_stand_in(char c, StandIn& stand_in) {
  const int value = hex_digit(c);
  if (value < 0) return c;
  const char digit = hex_digits[stand_in.bits(static_cast<std::uint8_t>(value), 4, 1)];
  return c >= 'A' && c <= 'F' && digit >= 'a' ? static_cast<char>(digit - 'a' + 'A') : digit;
}

inline char base64_stand_in(char c, StandIn& stand_in) {
  for (std::uint8_t i = 0; i < base64_digits.size(); ++i) {
    if (base64_digits[i] == c) return base64_digits[stand_in.bits(i, 6, 1)];
  }
  return c;
}

}  // namespace mcp::detail
