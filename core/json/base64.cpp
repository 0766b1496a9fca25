// Bytes to base64, three bytes to four characters. Knows no decoding and no streams.
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

}  // namespace mcp::json
