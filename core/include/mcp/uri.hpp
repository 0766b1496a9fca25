// SPDX-License-Identifier: Apache-2.0
// Checks and compares URIs by RFC 3986, without rules of a scheme.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mcp::detail {

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// RFC 3986: a scheme (section 3.1), a colon, and at least one of the characters that section 2 allows.
constexpr bool is_uri(std::string_view uri) {
  constexpr std::string_view marks = "-._~:/?#[]@!$&'()*+,;=%";
  const auto hex = [&](std::size_t i) {
    return i < uri.size() && (is_digit(uri[i]) || (uri[i] >= 'a' && uri[i] <= 'f') || (uri[i] >= 'A' && uri[i] <= 'F'));
  };
  std::size_t colon = 0;
  for (; colon < uri.size() && uri[colon] != ':'; ++colon) {
    const char c = uri[colon];
    if (!is_letter(c) && (colon == 0 || (!is_digit(c) && c != '+' && c != '-' && c != '.'))) return false;
  }
  for (std::size_t i = colon; i < uri.size(); ++i) {
    if (!is_letter(uri[i]) && !is_digit(uri[i]) && marks.find(uri[i]) == std::string_view::npos) return false;
    if (uri[i] == '%' && !(hex(i + 1) && hex(i + 2))) return false;
  }
  return colon > 0 && colon + 1 < uri.size();
}

/// RFC 3986 section 2.3.
constexpr bool is_unreserved(char c) {
  return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

/// RFC 3986 section 2.2.
constexpr bool is_reserved(char c) { return std::string_view(":/?#[]@!$&'()*+,;=").find(c) != std::string_view::npos; }

/// RFC 3986 section 3.3: a character of a path segment that is not an escape. A value in it ends at the next `/`, `?`
/// or
/// `#`.
constexpr bool is_segment_char(char c) {
  return is_unreserved(c) || std::string_view("!$&'()*+,;=:@").find(c) != std::string_view::npos;
}

/// The value of a hexadecimal digit; 16 for any other character.
constexpr unsigned hex_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  const char letter = static_cast<char>(c | 0x20);
  return letter >= 'a' && letter <= 'f' ? static_cast<unsigned>(letter - 'a' + 10) : 16;
}

/// Bits of what read_uri_char() returns.
inline constexpr unsigned uri_char = 0x1FF;  // the character, and whether it was escaped and has another meaning then
inline constexpr unsigned decoded_char = 0xFF;  // the character alone

/// Returns the next character of `uri`, decoded if it is an escape, and moves `at` after it.
constexpr unsigned read_uri_char(const std::string_view& uri, std::size_t& at) {
  const char c = uri[at++];
  if (c != '%' || uri.size() - at < 2) return static_cast<std::uint8_t>(c);
  const unsigned code = hex_value(uri[at]) << 4 | hex_value(uri[at + 1]);
  if (hex_value(uri[at]) > 15 || hex_value(uri[at + 1]) > 15) return static_cast<std::uint8_t>(c);
  at += 2;
  // A URI has no spaces, no controls and no bytes beyond ASCII without an escape. A client may send them as they are.
  if (code <= ' ' || code >= 0x7F) return 0x200 | code;
  return is_unreserved(static_cast<char>(code)) ? code : 0x100 | code;
}

/// True if both strings have the same characters, compared in `bits` only.
constexpr bool same_chars(const std::string_view& a, const std::string_view& b, unsigned bits) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (((read_uri_char(a, i) ^ read_uri_char(b, j)) & bits) != 0) return false;
  }
  return i == a.size() && j == b.size();
}

/// True when both URIs name the same resource by RFC 3986 section 6.2.2: an escape of an unreserved character is that
/// character, and escapes may have letters of any case. So is an escape of a space or of a byte beyond ASCII, which a
/// client may send as they are (RFC 3987 section 3.1). Schemes and hosts are compared exactly, and dot segments stay.
constexpr bool same_uri(const std::string_view& a, const std::string_view& b) { return same_chars(a, b, uri_char); }

/// True when no escape of the URI stands for an unreserved character or has a small letter. Two such URIs are the same
/// only if their bytes are.
consteval bool is_normal_uri(std::string_view uri) {
  for (std::size_t at = 0; at < uri.size();) {
    const std::size_t from = at;
    const unsigned code = read_uri_char(uri, at);
    if (at - from == 1) continue;
    const bool small = uri[from + 1] > 'F' || uri[from + 2] > 'F';
    if (small || (code & ~decoded_char) == 0) return false;
  }
  return true;
}

}  // namespace mcp::detail

#include <mcp/detail/epilogue.hpp>
