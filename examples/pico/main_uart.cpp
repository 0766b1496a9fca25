// SPDX-License-Identifier: Apache-2.0
// The thermometer on a Raspberry Pi Pico: the client is on UART0: GPIO 0 transmits, GPIO 1 receives.
#include <mcp/ports/pico.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>

#include "thermometer.hpp"

int main() {
  mcp::pico::Uart uart(uart0, 0, 1);
  mcp::StdioTransport transport{thermometer::server, uart};
  for (;;) {
    const mcp::Millis sample_ms = thermometer::sample(mcp::pico::millis());
    const mcp::Millis work_ms = transport.poll(mcp::pico::millis());
    mcp::pico::wait_for_event(std::min(sample_ms, work_ms));
  }
}
