// SPDX-License-Identifier: Apache-2.0
// The thermometer of examples/thermometer as an application of Zephyr. The overlay of the board chooses the UART:
// `mote,uart`.
#include <mcp/ports/zephyr.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>

#include <zephyr/devicetree.h>
#include "system.hpp"
#include "thermometer.hpp"

namespace {

#ifdef CONFIG_UART_INTERRUPT_DRIVEN
mcp::zephyr::Uart uart(DEVICE_DT_GET(DT_CHOSEN(mote_uart)));
#else
mcp::zephyr::PolledUart uart(DEVICE_DT_GET(DT_CHOSEN(mote_uart)));
#endif

}  // namespace

namespace system_of_device {

const char* board() { return CONFIG_BOARD; }

mcp::Millis millis() { return mcp::zephyr::millis(); }

#ifdef CONFIG_ENTROPY_GENERATOR
std::uint32_t boot_id() { return mcp::zephyr::boot_id(); }
#else
std::uint32_t boot_id() { return 0; }  // the clients of such a board detect a reset later
#endif

}  // namespace system_of_device

int main() {
  mcp::StdioTransport transport{thermometer::server, uart};
  for (;;) {
    const mcp::Millis sample_ms = thermometer::sample(mcp::zephyr::millis());
    mcp::zephyr::wait_for_event(std::min(sample_ms, transport.poll(mcp::zephyr::millis())));
  }
}
