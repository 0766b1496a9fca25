// everything.cpp on an emulated board: the wire is UART0. The board has neither a random source nor a calendar;
// an emulator lends it those of the host. So this is for tests alone: on the bare board the first task ends in a fault.
#include <mcp/ports/board.hpp>
#include <mcp/stdio_transport.hpp>

#include "everything.hpp"

int main() {
  mcp::StdioTransport transport{everything::server, board::uart0()};
  for (;;) board::wait_for_event(transport.poll(board::millis()));
}
