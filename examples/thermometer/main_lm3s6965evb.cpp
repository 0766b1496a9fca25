// The thermometer on the LM3S6965EVB: the client is on UART0.
#include <ports/lm3s6965evb/board.hpp>
#include <transports/stdio/transport.hpp>

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
