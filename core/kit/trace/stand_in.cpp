// SPDX-License-Identifier: Apache-2.0
// Stand-ins of random bits, made with HalfSipHash of the bits before them. So the hexadecimal digits, the base64
// characters and the bytes of an id have the same stand-in, also if an id comes in several reads.
#include <bit>

#include "mcp/detail/trace_redactor.hpp"

namespace mcp::detail {

StandIn::StandIn(const Key& key)
    : state_{key.words[0], key.words[1], key.words[0] ^ 0x6C79'6765, key.words[1] ^ 0x7465'6462}, use_(key.use) {
  for (unsigned i = 0; i < 4; ++i) mix();
}

void StandIn::mix() {
  auto& [a, b, c, d] = state_;
  a += b;
  b = std::rotl(b, 5) ^ a;
  a = std::rotl(a, 16);
  c += d;
  d = std::rotl(d, 8) ^ c;
  a += d;
  d = std::rotl(d, 7) ^ a;
  c += b;
  b = std::rotl(b, 13) ^ c;
  c = std::rotl(c, 16);
}

std::uint8_t StandIn::bits(std::uint8_t value, unsigned count, std::uint8_t fixed) {
  if (use_ == Key::Use::plain) return value;
  if (use_ == Key::Use::none) return fixed;
  unsigned result = 0;
  for (unsigned i = count; i-- != 0;) {
    const std::uint32_t bit = value >> i & 1U;
    result = result << 1U | (bit ^ ((state_[1] ^ state_[3]) & 1U));
    state_[3] ^= bit + 1;
    mix();
    mix();
    state_[0] ^= bit + 1;
  }
  return static_cast<std::uint8_t>(result);
}

}  // namespace mcp::detail
