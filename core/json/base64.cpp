// SPDX-License-Identifier: Apache-2.0
// Converts bytes to base64 and back, three bytes to four characters. Streams are not supported.
#include "json/base64.hpp"

namespace mcp::json {

char* write_base64(char* at, std::span<const std::uint8_t> bytes) {
  static constexpr char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (; !bytes.empty(); bytes = bytes.subspan(bytes.size() < 3 ? bytes.size() : 3)) {
    std::uint32_t group = std::uint32_t{bytes[0]} << 16;
    if (bytes.size() > 1) group |= std::uint32_t{bytes[1]} << 8;
    if (bytes.size() > 2) group |= bytes[2];
    *at++ = alphabet[group >> 18];
    *at++ = alphabet[group >> 12 & 63];
    *at++ = bytes.size() > 1 ? alphabet[group >> 6 & 63] : '=';
    *at++ = bytes.size() > 2 ? alphabet[group & 63] : '=';
  }
  return at;
}

namespace {

// The six bits of a character, or 64 if it is not in the alphabet.
unsigned digit_of(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<unsigned>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<unsigned>(c - 'a') + 26;
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0') + 52;
  return c == '+' ? 62 : c == '/' ? 63 : 64;
}

// Removes the padding. Returns the number of decoded bytes, or SIZE_MAX for an invalid text.
std::size_t unpad(std::string_view& text) {
  if (text.size() % 4 != 0) return SIZE_MAX;
  for (unsigned i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  return text.size() * 3 / 4;
}

// Calls `take` with each byte of an unpadded text, until it returns false.
template <class Take>
bool decode(std::string_view text, Take take) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned digit = digit_of(text[i]);
    if (digit == 64) return false;
    bits = bits << 6U | digit;
    if (i % 4 != 0 && !take(static_cast<std::uint8_t>(bits >> (6 - 2 * (i % 4))))) return false;
  }
  const unsigned spare = text.size() % 4 == 2 ? 0xFU : text.size() % 4 == 3 ? 3U : 0U;  // bits after the last byte
  return (bits & spare) == 0;
}

}  // namespace

bool read_base64(std::string_view text, std::span<std::uint8_t>& bytes) {
  const std::size_t size = unpad(text);
  if (size > bytes.size()) return false;
  bytes = bytes.first(size);
  std::uint8_t* at = bytes.data();
  return decode(text, [&](std::uint8_t byte) {
    *at++ = byte;
    return true;
  });
}

bool is_base64_of(std::string_view text, std::span<const std::uint8_t> bytes) {
  if (unpad(text) != bytes.size()) return false;
  const std::uint8_t* at = bytes.data();
  return decode(text, [&](std::uint8_t byte) { return byte == *at++; });
}

}  // namespace mcp::json
