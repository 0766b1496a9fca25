// SPDX-License-Identifier: Apache-2.0
#include "mcp/memory/secrets.hpp"

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

void wipe(std::span<char> bytes) {
  volatile char* at = bytes.data();
  for (std::size_t i = 0; i < bytes.size(); ++i) at[i] = 0;
}

}  // namespace mcp::memory
