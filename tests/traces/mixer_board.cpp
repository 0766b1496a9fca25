// SPDX-License-Identifier: Apache-2.0
// The mixer on a board. Its fault handler prints the trace on the UART.
#include <mcp/ports/board.hpp>
#include <mcp/stdio_transport.hpp>

#include "traces/mixer.hpp"

namespace mixer {

std::int32_t read_temperature() { return static_cast<std::int32_t>(board::stack_high_water() % 100); }

}  // namespace mixer

extern "C" void mcp_fault() { mixer::ring.dump(board::write_polled); }

int main() {
  mixer::boot_id = board::boot_id();
  mixer::ring.begin(mixer::boot_id);
  mcp::TracedStream uart{mixer::ring, board::uart0(), mcp::Framing::lines};
  mcp::StdioTransport transport{mixer::server, uart};
  for (;;) board::wait_for_event(transport.poll(mixer::ring.poll(board::millis())));
}
