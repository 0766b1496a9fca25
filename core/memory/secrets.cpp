#include "memory/secrets.hpp"

namespace mcp::memory {

bool same_bytes(std::span<const std::uint8_t> given, std::span<const std::uint8_t> expected) {
  unsigned difference = given.size() == expected.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const unsigned other = i < expected.size() ? expected[i] : 0;
    difference |= given[i] ^ other;
  }
  return difference == 0;
}

void write_hex(char* at, std::span<const std::uint8_t> bytes) {
  constexpr char digits[] = "0123456789abcdef";
  for (const std::uint8_t byte : bytes) {
    *at++ = digits[byte >> 4];
    *at++ = digits[byte & 15];
  }
}

}  // namespace mcp::memory
