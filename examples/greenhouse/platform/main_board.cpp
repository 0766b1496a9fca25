// SPDX-License-Identifier: Apache-2.0
// The greenhouse on a board: the client is on UART0.
#include <mcp/ports/board.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>

#include "server.hpp"

int main() {
  mcp::StdioTransport transport{greenhouse::server, board::uart0()};
  for (;;) {
    const mcp::Millis greenhouse_ms = greenhouse::poll(board::millis());
    const mcp::Millis work_ms = transport.poll(board::millis());
    board::wait_for_event(std::min(greenhouse_ms, work_ms));
  }
}
