// SPDX-License-Identifier: Apache-2.0
// A UART, and with PINS an input of these pins, for the flash that they take.
#include <mcp/ports/pico.hpp>
#include <mcp/ports/pico_pins.hpp>

int main() {
  mcp::pico::Uart uart(uart0, 0, 1);
  for (;;) {
    bool high = false;
#ifdef PINS
    static_cast<void>(mcp::pico::PINS().input(7, mcp::PinPull::up));
    static_cast<void>(mcp::pico::PINS().level(7, high));
#endif
    const char level = high ? '1' : '0';
    static_cast<void>(uart.write({&level, 1}));
    mcp::pico::wait_for_event(1000);
  }
}
