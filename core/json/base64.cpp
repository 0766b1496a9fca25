// Bytes to base64, three bytes to four characters, and back. Knows no streams.
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

unsigned base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<unsigned>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<unsigned>(c - 'a') + 26;
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0') + 52;
  return c == '+' ? 62 : c == '/' ? 63 : 64;
}

bool read_base64(std::string_view text, std::span<std::uint8_t>& bytes) {
  if (text.size() % 4 != 0) return false;
  std::size_t size = text.size();
  for (unsigned i = 0; i < 2 && size != 0 && text[size - 1] == '='; ++i) --size;
  if (size * 3 / 4 > bytes.size()) return false;
  bytes = bytes.first(size * 3 / 4);
  std::uint8_t* at = bytes.data();
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const unsigned digit = base64_digit(text[i]);
    if (digit == 64) return false;
    bits = bits << 6U | digit;
    if (i % 4 != 0) *at++ = static_cast<std::uint8_t>(bits >> (6 - 2 * (i % 4)));
  }
  const unsigned spare = size % 4 == 2 ? 0xFU : size % 4 == 3 ? 3U : 0U;  // bits behind the last byte
  return (bits & spare) == 0;
}

}  // namespace mcp::json
