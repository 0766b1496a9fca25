// SPDX-License-Identifier: Apache-2.0
// Every way in which a firmware ends, chosen by one byte of input.
#include <probe.hpp>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <mcp/assert.hpp>
#include <string_view>

// The target of a call of a pure virtual function.
extern "C" void __cxa_pure_virtual();

// The functions that fault, for the addresses that the report names.
extern "C" {
[[gnu::noinline]] void write_to_flash() {
  volatile std::uint32_t* volatile flash = nullptr;  // On some boards there is nothing at all.
  *flash = 1;
}
[[gnu::noinline]] void read_unmapped() {
  static_cast<void>(*reinterpret_cast<volatile std::uint32_t*>(probe::unmapped));
}
[[gnu::noinline]] void run_illegal_instruction() { probe::illegal_instruction(); }
[[gnu::noinline]] void jump_to_nowhere() {
  reinterpret_cast<void (*)()>(probe::nowhere)();
  asm volatile("");  // No tail call, so that the call leaves a return address.
}
}

namespace {

volatile std::size_t beyond = 4;
char hook;

void end(char how) {
  switch (how) {
    case 'w': write_to_flash(); break;
    case 'r': read_unmapped(); break;
    case 'u': run_illegal_instruction(); break;
    case 'j': jump_to_nowhere(); break;
    case 'i': probe::raise_interrupt(); break;  // It has no handler.
    case 't':
      static_cast<void>(board::uart0().write(std::span("half a line", 11)));
      run_illegal_instruction();
      break;
    case 'h':
    case 'f':
      hook = how;
      run_illegal_instruction();
      break;
    case '0': probe::fault_with_stack(0); break;
    case '1': probe::fault_with_stack(probe::ram_end + 16); break;
    case '2': probe::fault_with_stack(0xFFFF'FFF0); break;
    case '3': probe::fault_with_stack(probe::unmapped); break;
    case 'a': MCP_ASSERT(beyond == 5); break;
    case 'b': std::abort(); break;
    case 'p': __cxa_pure_virtual(); break;
    case 's': (void)std::string_view("abc").substr(beyond); break;
    case 'e': board::exit(9); break;
    default: break;
  }
}

}  // namespace

extern "C" void mcp_fault() {
  if (hook == 'h') board::exit(55);
  if (hook == 'f') probe::illegal_instruction();
}

int main() {
  mcp::ByteStream& uart = board::uart0();
  char how = 0;
  while (uart.read(std::span(&how, 1)).status != mcp::IoStatus::ok) board::wait_for_event(mcp::forever);
  end(how);
  return how == 'm' ? 42 : 3;
}
