// SPDX-License-Identifier: Apache-2.0
// Faults on the board of examples/own_board, whose flash does not begin at 0, chosen by one byte of input.
#include <mcp/ports/stm32vldiscovery.hpp>

#include <cstdint>

namespace {

volatile std::uintptr_t null_address = 0;
volatile int beyond = 0;

[[gnu::noinline]] void write_to(std::uintptr_t address) {
  *reinterpret_cast<volatile std::uint32_t*>(address) = 1;
  asm volatile("");  // No tail call, so that calls leave a return address.
}

// The large frame is above the stack of the caller, so that the overflow is far below RAM.
[[gnu::noinline]] int overflow(int depth) {
  volatile int frame[32] = {depth};
  return overflow(depth + 1) + frame[beyond];
}

[[gnu::noinline]] void jump_to(std::uintptr_t address) {
  reinterpret_cast<void (*)()>(address)();
  asm volatile("");
}

void end(char how) {
  switch (how) {
    case 'n': write_to(null_address); break;
    case 'c': write_to(0x0800'1000); break;
    case 's': beyond = overflow(0); break;
    case 'j': jump_to(0x1FFF'F001); break;
    default: break;
  }
}

}  // namespace

int main() {
  for (;;) {
    char how = 0;
    if (board::uart0().read(std::span(&how, 1)).status == mcp::IoStatus::ok) end(how);
    board::wait_for_event(mcp::forever);
  }
}
