// SPDX-License-Identifier: Apache-2.0
// USART2 as a ByteStream. Knows no framing and no message.
#include "mcp/ports/stm32_usart.hpp"
#include "mcp/ports/stm32vldiscovery.hpp"
#include "ports/bare_metal/startup.hpp"
#include "stm32_registers.hpp"

namespace board {
namespace {

constexpr std::uint32_t apb2enr_port_a = bit(2);
constexpr std::uint32_t apb1enr_usart2 = bit(17);
constexpr std::uint32_t baud = 115'200;

constinit Stm32Usart<0x4000'4400, 38, MOTE_UART_RX_SIZE> usart;

void switch_on() {
  reg(rcc_apb2enr) = reg(rcc_apb2enr) | apb2enr_port_a;
  reg(rcc_apb1enr) = reg(rcc_apb1enr) | apb1enr_usart2;
  set_pin_mode(gpio_a, 2, mode_peripheral_50_mhz);
  set_pin_mode(gpio_a, 3, mode_input);
  usart.begin((core_clock_hz + baud / 2) / baud);
}

}  // namespace

void write_polled(char byte) {
  static_cast<void>(uart0());
  usart.write_polled(byte);
}

mcp::ByteStream& uart0() {
  if (!usart.is_on()) switch_on();
  return usart;
}

std::uint32_t uart0_errors() { return usart.errors(); }

void wipe_uart0() { usart.wipe(); }

}  // namespace board

extern "C" void usart2_handler() { board::usart.handle(); }
