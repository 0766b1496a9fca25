// SPDX-License-Identifier: Apache-2.0
// The server on a Raspberry Pi Pico. The client is on the USB port, as a serial port of the PC.
#include <mcp/ports/pico.hpp>
#include <mcp/stdio_transport.hpp>

#include "server.hpp"

int main() {
  mcp::StdioTransport transport{server, mcp::pico::usb()};
  for (;;) mcp::pico::wait_for_event(transport.poll(mcp::pico::millis()));
}
