// SPDX-License-Identifier: Apache-2.0
// A stack that grows too long must end in the fault handler, with everything else in RAM untouched.
#include <cstdint>
#include <mcp/ports/board.hpp>

namespace {

volatile std::uint32_t in_data[64] = {1, 2, 3};
volatile std::uint32_t in_bss[64];

bool untouched() {
  for (std::uint32_t i = 0; i < 64; ++i) {
    if (in_data[i] != (i < 3 ? i + 1 : 0) || in_bss[i] != 0) return false;
  }
  return true;
}

}  // namespace

extern "C" [[gnu::noinline]] std::uint32_t recurse(std::uint32_t depth) {  // NOLINT(misc-no-recursion)
  volatile std::uint32_t frame[4] = {depth, depth, depth, depth};
  return recurse(depth + 1) + frame[3];
}

// Runs on its own stack, because the other one is full.
extern "C" void mcp_fault() {
  if (!untouched()) board::exit(1);
  // All of it was used, but for the last frame.
  const std::size_t used = board::stack_high_water();
  if (used > STACK_SIZE || used < STACK_SIZE - 64) board::exit(2);
}

// The image has the UART, but has not switched it on.
[[gnu::used]] mcp::ByteStream& (*const uart)() = board::uart0;

int main() { return static_cast<int>(recurse(0)); }
