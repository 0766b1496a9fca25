// Every way in which a firmware ends, chosen by one byte of input.
#include <probe.hpp>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <mcp/assert.hpp>
#include <string_view>

// What a call of a pure virtual function becomes.
extern "C" void __cxa_pure_virtual();

namespace {

// Flash, or nothing at all.
volatile std::uint32_t* volatile nowhere = nullptr;
volatile std::size_t beyond = 4;
bool has_hook;

void end(char how) {
  switch (how) {
    case 'w': *nowhere = 1; break;
    case 'u': probe::illegal_instruction(); break;
    case 'j': reinterpret_cast<void (*)()>(probe::nowhere)(); break;
    case 'i': probe::raise_interrupt(); break;  // It has no handler.
    case 'h':
      has_hook = true;
      probe::illegal_instruction();
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
