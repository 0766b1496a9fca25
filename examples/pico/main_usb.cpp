// SPDX-License-Identifier: Apache-2.0
// The thermometer on a Raspberry Pi Pico: the client is on the USB port, as a serial port of the PC.
#include <mcp/ports/pico.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>

#include "thermometer.hpp"

int main() {
  mcp::StdioTransport transport{thermometer::server, mcp::pico::usb()};
  for (;;) {
    const mcp::Millis sample_ms = thermometer::sample(mcp::pico::millis());
    const mcp::Millis work_ms = transport.poll(mcp::pico::millis());
    mcp::pico::wait_for_event(std::min(sample_ms, work_ms));
  }
}
