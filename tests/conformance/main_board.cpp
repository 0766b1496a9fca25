// SPDX-License-Identifier: Apache-2.0
// everything.cpp on an emulated board: the wire is UART0. The board has neither a random source nor a calendar, so it
// uses those of the emulator's host. For tests only: on a real board the first task ends in a fault.
#include <mcp/ports/board.hpp>
#include <mcp/stdio_transport.hpp>

#include "everything.hpp"

int main() {
  mcp::StdioTransport transport{everything::server, board::uart0()};
  for (;;) board::wait_for_event(transport.poll(board::millis()));
}
