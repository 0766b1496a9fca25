// Every way in which a firmware ends, chosen by one byte of input.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <mcp/assert.hpp>
#include <ports/lm3s6965evb/board.hpp>
#include <string_view>

// What a call of a pure virtual function becomes.
extern "C" void __cxa_pure_virtual();

namespace {

// Flash.
volatile std::uint32_t* volatile nowhere = nullptr;
volatile std::size_t beyond = 4;
bool has_hook;

void end(char how) {
  switch (how) {
    case 'w': *nowhere = 1; break;
    case 'u': asm volatile("udf 0"); break;
    case 'j': reinterpret_cast<void (*)()>(0x1FFF'F001)(); break;
    case 'i':  // Interrupt 1, GPIO port B, has no handler.
      *reinterpret_cast<volatile std::uint32_t*>(0xE000'E100) = 2;
      *reinterpret_cast<volatile std::uint32_t*>(0xE000'E200) = 2;
      break;
    case 'h':
      has_hook = true;
      asm volatile("udf 0");
      break;
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
  if (has_hook) board::exit(55);
}

int main() {
  mcp::ByteStream& uart = board::uart0();
  char how = 0;
  while (uart.read(std::span(&how, 1)).status != mcp::IoStatus::ok) board::wait_for_event(mcp::forever);
  end(how);
  return how == 'm' ? 42 : 3;
}
