// What a URI in a table must look like. Knows no scheme.
#pragma once

#include <cstddef>
#include <string_view>

namespace mcp::detail {

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// RFC 3986: a scheme (section 3.1), and behind its colon at least one character, of those that section 2 allows.
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

}  // namespace mcp::detail
