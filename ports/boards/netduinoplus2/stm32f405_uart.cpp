// SPDX-License-Identifier: Apache-2.0
// USART6 as a ByteStream: received bytes by interrupt into a ring, sent bytes straight into the transmitter. Knows no
// framing and no message.
//
// The interrupt stays raised while there is a received byte, so masking it while the ring is full, and unmasking it
// later, loses nothing.
#include "mcp/ports/interrupt_ring.hpp"
#include "mcp/ports/netduinoplus2.hpp"
#include "ports/bare_metal/startup.hpp"
#include "ports/boards/netduinoplus2/stm32f405_registers.hpp"

namespace board {
namespace {

constexpr std::uint32_t usart_sr = 0x4001'1400;   // Status
constexpr std::uint32_t usart_dr = 0x4001'1404;   // Data; reading it after the status clears the errors
constexpr std::uint32_t usart_brr = 0x4001'1408;  // Baud rate divisor
constexpr std::uint32_t usart_cr1 = 0x4001'140C;  // Control

constexpr std::uint32_t sr_damaged = bit(0) | bit(1) | bit(2);  // Parity, framing, noise
constexpr std::uint32_t sr_overrun = bit(3);
constexpr std::uint32_t sr_received = bit(5);
constexpr std::uint32_t sr_transmit_empty = bit(7);
constexpr std::uint32_t cr1_on = bit(13) | bit(3) | bit(2);  // USART, transmitter, receiver
constexpr std::uint32_t cr1_receive_interrupt = bit(5);
constexpr std::uint32_t cr1_transmit_interrupt = bit(7);
constexpr std::uint32_t ahb1enr_port_c = bit(2);
constexpr std::uint32_t apb2enr_usart6 = bit(5);
constexpr std::uint32_t function_usart6 = 8;
constexpr unsigned transmit_pin = 6;
constexpr unsigned receive_pin = 7;
constexpr unsigned interrupt_number = 71;
constexpr std::uint32_t nvic_iser2 = 0xE000'E108;  // Interrupt set-enable, interrupts 64 to 95
constexpr std::uint32_t nvic_icer2 = 0xE000'E188;  // Interrupt clear-enable

constexpr std::uint32_t baud = 115'200;
constexpr char not_a_byte_of_text = '\xFF';

InterruptRing<MOTE_UART_RX_SIZE> received;
std::uint32_t errors;
bool is_byte_lost;  // After the newest byte that was read

class Uart final : public mcp::ByteStream {
 public:
  static void switch_on() {
    reg(rcc_ahb1enr) = reg(rcc_ahb1enr) | ahb1enr_port_c;
    reg(rcc_apb2enr) = reg(rcc_apb2enr) | apb2enr_usart6;
    // An unconnected pin would read as a break.
    set_field(gpio_c + gpio_pupdr, receive_pin, 2, pull_up);
    for (const unsigned pin : {transmit_pin, receive_pin}) {
      set_field(gpio_c + gpio_afrl, pin, 4, function_usart6);
      set_field(gpio_c + gpio_moder, pin, 2, mode_function);
    }
    reg(usart_brr) = (apb2_clock_hz + baud / 2) / baud;
    reg(usart_cr1) = cr1_on | cr1_receive_interrupt;
    reg(nvic_iser2) = bit(interrupt_number - 64);
  }

 private:
  mcp::IoResult do_read(std::span<char> into) override {
    const std::size_t size = received.pop(into);
    if (size == 0) return {mcp::IoStatus::would_block, 0};
    unmask(cr1_receive_interrupt);
    return {mcp::IoStatus::ok, size};
  }

  mcp::IoResult do_write(std::span<const char> from) override {
    std::size_t size = 0;
    while (size < from.size() && (reg(usart_sr) & sr_transmit_empty) != 0) {
      reg(usart_dr) = static_cast<unsigned char>(from[size++]);
    }
    // This interrupt stays raised as well: no wake-up is missed.
    if (size < from.size()) unmask(cr1_transmit_interrupt);
    if (size == 0) return {mcp::IoStatus::would_block, 0};
    return {mcp::IoStatus::ok, size};
  }

  // The handler changes the mask as well.
  static void unmask(std::uint32_t interrupts) {
    const InterruptsOff guard;
    reg(usart_cr1) = reg(usart_cr1) | interrupts;
    reg(nvic_iser2) = bit(interrupt_number - 64);
  }
};

constinit Uart stream;

// Moves received bytes to the ring while it has space. Passes: each uses one byte of the ring.
void take_bytes() {
  while (!received.full()) {
    if (is_byte_lost) {
      is_byte_lost = false;
      received.push(not_a_byte_of_text);
      continue;
    }
    const std::uint32_t status = reg(usart_sr);
    if ((status & (sr_received | sr_overrun)) == 0) break;
    const std::uint32_t data = reg(usart_dr);
    const bool is_damaged = (status & sr_damaged) != 0;
    if (is_damaged) ++errors;
    if ((status & sr_received) != 0) received.push(is_damaged ? not_a_byte_of_text : static_cast<char>(data));
    // An overrun reports a byte lost after this one.
    if ((status & sr_overrun) != 0) {
      ++errors;
      is_byte_lost = true;
    }
  }
}

}  // namespace

void write_polled(char byte) {
  static_cast<void>(uart0());
  // The transmitter takes a byte after 87 us at the latest.
  for (unsigned looks = 65'536; looks != 0 && (reg(usart_sr) & sr_transmit_empty) == 0;) --looks;
  reg(usart_dr) = static_cast<unsigned char>(byte);
}

mcp::ByteStream& uart0() {
  if (reg(usart_cr1) == 0) Uart::switch_on();
  return stream;
}

std::uint32_t uart0_errors() {
  const InterruptsOff guard;
  return errors;
}

void wipe_uart0() {
  const InterruptsOff guard;
  received.wipe();
}

}  // namespace board

extern "C" void usart6_handler() {
  using namespace board;
  take_bytes();
  std::uint32_t control = reg(usart_cr1);
  if ((reg(usart_sr) & sr_transmit_empty) != 0) control &= ~cr1_transmit_interrupt;
  if (received.full()) control &= ~cr1_receive_interrupt;
  reg(usart_cr1) = control;
  // The emulated interrupt stays raised while a byte waits, whatever its mask says.
  if ((control & (cr1_receive_interrupt | cr1_transmit_interrupt)) == 0) reg(nvic_icer2) = bit(interrupt_number - 64);
  wake_from_isr();
}
