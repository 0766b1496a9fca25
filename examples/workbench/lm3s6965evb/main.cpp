// SPDX-License-Identifier: Apache-2.0
// The workbench on the LM3S6965EVB, over UART0. A main loop that hangs for 5 s, a fault and a failed assertion end with
// all pins at rest.
#include <mcp/assert.hpp>
#include <mcp/ports/lm3s6965evb.hpp>
#include <mcp/ports/semihosting.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>

#include "workbench.hpp"

namespace device {

mcp::Millis now() { return board::millis(); }
std::uint32_t boot_id() { return board::boot_id(); }
// The chip has no random source. The table has the legacy era only, whose input requests need no random bytes. In the
// emulator, the PC has a source.
bool Random::do_fill(std::span<std::uint8_t> into) { return board::HostEntropy().fill(into); }

}  // namespace device

// The board has printed its line.
extern "C" void mcp_fault() { app::rest_now(); }

int main() {
  app::begin();
  board::start_watchdog(5000);
  app::server.set_reset_reason(board::take_reset_reason());
  mcp::StdioTransport transport{app::server, board::uart0()};
  for (;;) {
    const mcp::Millis next = transport.poll(board::millis());
    board::wait_for_event(std::min(next, app::poll()));
  }
}
