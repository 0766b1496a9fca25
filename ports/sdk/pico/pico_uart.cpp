// SPDX-License-Identifier: Apache-2.0
// A UART of the chip (a PL011). Receive interrupts stay raised while the FIFO has bytes, so masking them while the ring
// is full loses nothing.
#include <hardware/gpio.h>
#include <hardware/irq.h>
#include "mcp/ports/pico.hpp"

namespace mcp::pico {
namespace {

constexpr std::uint32_t receive_interrupts = UART_UARTIMSC_RXIM_BITS | UART_UARTIMSC_RTIM_BITS;

Uart* uarts[NUM_UARTS];

}  // namespace

Uart::Uart(uart_inst_t* uart, unsigned transmit_pin, unsigned receive_pin, unsigned baud) : uart_(uart) {
  const unsigned index = uart_get_index(uart);
  uarts[index] = this;
  // Before the receiver is on, which would read a low pin as a first byte. An unconnected pin would read as a break.
  gpio_pull_up(receive_pin);
  gpio_set_function(transmit_pin, UART_FUNCSEL_NUM(uart, transmit_pin));
  gpio_set_function(receive_pin, UART_FUNCSEL_NUM(uart, receive_pin));
  uart_init(uart, baud);
  uart_set_translate_crlf(uart, false);
  uart_get_hw(uart)->ifls = 2u << UART_UARTIFLS_RXIFLSEL_LSB | 2u << UART_UARTIFLS_TXIFLSEL_LSB;  // half full, empty
  const unsigned number = UART_IRQ_NUM(uart);
  irq_set_exclusive_handler(number, index == 0 ? handle_uart0 : handle_uart1);
  irq_set_enabled(number, true);
  uart_get_hw(uart)->imsc = receive_interrupts;
}

bool Uart::is_free() { return uart_is_writable(uart_); }
void Uart::send(char byte) { uart_get_hw(uart_)->dr = static_cast<unsigned char>(byte); }

// The register takes set and clear without a read, so the handler cannot come between.
void Uart::enable_receive_interrupt() { hw_set_bits(&uart_get_hw(uart_)->imsc, receive_interrupts); }

// The FIFO is full, so it still has to pass the level that interrupts: no wake-up is missed.
void Uart::enable_transmit_interrupt() { hw_set_bits(&uart_get_hw(uart_)->imsc, UART_UARTIMSC_TXIM_BITS); }

void Uart::handle_uart0() { uarts[0]->handle(); }
void Uart::handle_uart1() { uarts[1]->handle(); }

void Uart::handle() {
  uart_hw_t& registers = *uart_get_hw(uart_);
  while (uart_is_readable(uart_)) {
    if (!received_.has_room()) {
      hw_clear_bits(&registers.imsc, receive_interrupts);
      break;
    }
    if (received_.take(registers.dr) || !reads_lines()) wake();
  }
  if ((registers.mis & UART_UARTMIS_TXMIS_BITS) != 0) {
    hw_clear_bits(&registers.imsc, UART_UARTIMSC_TXIM_BITS);
    registers.icr = UART_UARTICR_TXIC_BITS;
    wake();
  }
}

}  // namespace mcp::pico
