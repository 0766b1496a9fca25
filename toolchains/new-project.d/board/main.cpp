// SPDX-License-Identifier: Apache-2.0
// The server on a board. The client is on UART 0.
#include <mcp/ports/@board@.hpp>
#include <mcp/stdio_transport.hpp>

#include "device.hpp"
#include "server.hpp"

std::uint32_t boot_id() { return board::boot_id(); }

int main() {
  mcp::StdioTransport transport{server, board::uart0()};
  for (;;) board::wait_for_event(transport.poll(board::millis()));
}
