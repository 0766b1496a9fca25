// SPDX-License-Identifier: Apache-2.0
// The thermometer on a board: the client is on UART0.
#include <mcp/ports/board.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>

#include "thermometer.hpp"

int main() {
  mcp::StdioTransport transport{thermometer::server, board::uart0()};
  for (;;) {
    const mcp::Millis sample_ms = thermometer::sample(board::millis());
    const mcp::Millis work_ms = transport.poll(board::millis());
    board::wait_for_event(std::min(sample_ms, work_ms));
  }
}
