// SPDX-License-Identifier: Apache-2.0
// USART6 as a ByteStream. Knows no framing and no message.
#include "mcp/ports/netduinoplus2.hpp"
#include "mcp/ports/stm32_usart.hpp"
#include "ports/bare_metal/startup.hpp"
#include "ports/boards/netduinoplus2/stm32f405_registers.hpp"

namespace board {
namespace {

constexpr std::uint32_t ahb1enr_port_c = bit(2);
constexpr std::uint32_t apb2enr_usart6 = bit(5);
constexpr std::uint32_t function_usart6 = 8;
constexpr unsigned transmit_pin = 6;
constexpr unsigned receive_pin = 7;
constexpr std::uint32_t baud = 115'200;

constinit Stm32Usart<0x4001'1400, 71, MOTE_UART_RX_SIZE> usart;

void switch_on() {
  reg(rcc_ahb1enr) = reg(rcc_ahb1enr) | ahb1enr_port_c;
  reg(rcc_apb2enr) = reg(rcc_apb2enr) | apb2enr_usart6;
  // An unconnected pin would read as a break.
  set_field(gpio_c + gpio_pupdr, receive_pin, 2, pull_up);
  for (const unsigned pin : {transmit_pin, receive_pin}) {
    set_field(gpio_c + gpio_afrl, pin, 4, function_usart6);
    set_field(gpio_c + gpio_moder, pin, 2, mode_function);
  }
  usart.begin((apb2_clock_hz + baud / 2) / baud);
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

extern "C" void usart6_handler() { board::usart.handle(); }
