// What a URI in a table must look like. Knows no scheme.
#pragma once

#include <cstddef>
#include <string_view>

namespace mcp::detail {

/// RFC 3986 section 3.1, and at least one character behind the colon; no control characters, spaces or non-ASCII.
consteval bool is_uri(std::string_view uri) {
  std::size_t colon = 0;
  while (colon < uri.size() && uri[colon] != ':') {
    const char c = uri[colon];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool later = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
    if (!letter && (colon == 0 || !later)) return false;
    ++colon;
  }
  for (const char c : uri) {
    if (c <= ' ' || c >= 0x7F) return false;
  }
  return colon > 0 && colon + 1 < uri.size();
}

}  // namespace mcp::detail
