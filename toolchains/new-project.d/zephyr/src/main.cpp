// SPDX-License-Identifier: Apache-2.0
// The server on a board of Zephyr. The overlay of the board chooses the UART of the client: mote,uart.
#include <mcp/ports/zephyr.hpp>
#include <mcp/stdio_transport.hpp>

#include <zephyr/devicetree.h>
#include "device.hpp"
#include "server.hpp"

namespace {

#ifdef CONFIG_UART_INTERRUPT_DRIVEN
mcp::zephyr::Uart uart(DEVICE_DT_GET(DT_CHOSEN(mote_uart)));
#else
mcp::zephyr::PolledUart uart(DEVICE_DT_GET(DT_CHOSEN(mote_uart)));
#endif

}  // namespace

#ifdef CONFIG_ENTROPY_GENERATOR
std::uint32_t boot_id() { return mcp::zephyr::boot_id(); }
#else
std::uint32_t boot_id() { return 0; }  // the clients of such a board detect a reset later
#endif

int main() {
  mcp::StdioTransport transport{server, uart};
  for (;;) mcp::zephyr::wait_for_event(transport.poll(mcp::zephyr::millis()));
}
