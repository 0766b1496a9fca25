// Looking at several bytes of a JSON string at once. Knows which bytes end a plain run, not what they mean.
#pragma once

#include <cstdint>

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

/// First byte in [at, end) that is not plain, or `end`. Reads a machine word at a time.
const char* skip_plain(const char* at, const char* end);

}  // namespace mcp::json
