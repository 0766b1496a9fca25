// SPDX-License-Identifier: Apache-2.0
// The server on an STM32. main.c calls run_server(), and the client is at this UART.
#include <mcp/ports/stm32_hal.hpp>
#include <mcp/stdio_transport.hpp>

#include "device.hpp"
#include "server.hpp"

// Return a number that differs after each reset, from the RNG or a counter in a backup register. 0 is none.
std::uint32_t boot_id() { return 0; }

extern "C" void run_server(UART_HandleTypeDef* huart) {
  static mcp::stm32::Uart uart{huart};
  mcp::StdioTransport transport{server, uart};
  for (;;) mcp::stm32::wait_for_event(transport.poll(mcp::stm32::millis()));
}
