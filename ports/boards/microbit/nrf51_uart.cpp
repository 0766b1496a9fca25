// SPDX-License-Identifier: Apache-2.0
// UART0 as a ByteStream: received bytes by interrupt into a ring, sent bytes straight into the transmitter. Knows no
// framing and no message.
//
// The event of a received byte stays set until it is cleared, so masking its interrupt while the ring is full, and
// unmasking it later, loses nothing.
#include "mcp/ports/microbit.hpp"
#include "mcp/ports/uart_stream.hpp"
#include "ports/bare_metal/startup.hpp"
#include "ports/boards/microbit/nrf51_clock.hpp"
#include "ports/boards/microbit/nrf51_registers.hpp"

namespace board {
namespace {

constexpr std::uint32_t start_receive = uart_registers + 0x000;
constexpr std::uint32_t start_transmit = uart_registers + 0x008;
constexpr std::uint32_t received_event = uart_registers + 0x108;
constexpr std::uint32_t sent_event = uart_registers + 0x11C;
constexpr std::uint32_t error_source = uart_registers + 0x480;  // A 1 written clears
constexpr std::uint32_t enable_register = uart_registers + 0x500;
constexpr std::uint32_t select_transmit = uart_registers + 0x50C;
constexpr std::uint32_t select_receive = uart_registers + 0x514;
constexpr std::uint32_t receive_register = uart_registers + 0x518;
constexpr std::uint32_t transmit_register = uart_registers + 0x51C;
constexpr std::uint32_t baud_register = uart_registers + 0x524;

constexpr std::uint32_t baud_115200 = 0x01D7'E000;
constexpr std::uint32_t enabled = 4;
constexpr std::uint32_t interrupt_received = bit(2);
constexpr std::uint32_t interrupt_sent = bit(7);

UartReceiver<MOTE_UART_RX_SIZE> received;
bool is_sending;  // The transmitter has a byte, and sets its event when it takes the next one

// Takes the oldest byte of the FIFO. First the event: the byte that follows sets it again.
char take_byte() {
  reg(received_event) = 0;
  return static_cast<char>(reg(receive_register));
}

// Returns whether a reader of lines has a reason to read.
bool take_bytes() {
  return received.fill([](char& byte) {
    if (const std::uint32_t source = reg(error_source); source != 0) {
      reg(error_source) = source;
      received.count_error();
      // The error may be in any byte of the FIFO.
      while (reg(received_event) != 0) static_cast<void>(take_byte());
      return true;
    }
    if (reg(received_event) == 0) return false;
    byte = take_byte();
    return true;
  });
}

class Uart final : public UartStream<Uart, InterruptsOff> {
 public:
  static void switch_on() {
    // The transmitter drives the pin as GPIO does until it is enabled: high, as an idle line.
    reg(gpio_outset) = bit(pin_transmit);
    reg(gpio_dirset) = bit(pin_transmit);
    reg(select_transmit) = pin_transmit;
    reg(select_receive) = pin_receive;
    reg(baud_register) = baud_115200;
    reg(enable_register) = enabled;
    reg(start_receive) = 1;
    reg(start_transmit) = 1;
    reg(uart_registers + intenset) = interrupt_received;
    reg(nvic_iser0) = bit(uart_interrupt);
  }

  void handle() {
    bool is_due = take_bytes() || !reads_lines();
    if (received.full()) reg(uart_registers + intenclr) = interrupt_received;
    if ((reg(uart_registers + intenset) & interrupt_sent) != 0 && reg(sent_event) != 0) {
      reg(uart_registers + intenclr) = interrupt_sent;
      is_due = true;
    }
    if (is_due) wake_from_isr();
  }

  static auto& receiver() { return received; }
  static bool is_free() { return !is_sending || reg(sent_event) != 0; }

  static void send(char byte) {
    is_sending = true;
    reg(sent_event) = 0;
    reg(transmit_register) = static_cast<unsigned char>(byte);
  }

  static void enable_receive_interrupt() { reg(uart_registers + intenset) = interrupt_received; }

  // This event stays set as well: no wake-up is missed. If the reader of the emulated UART is slow, QEMU sets it
  // without the interrupt.
  static void enable_transmit_interrupt() {
    reg(uart_registers + intenset) = interrupt_sent;
    wake_soon();
  }
};

constinit Uart stream;

}  // namespace

void write_polled(char byte) {
  static_cast<void>(uart0());
  // The transmitter takes a byte after 87 us at the latest.
  stream.write_polled(byte, 32'768);
}

mcp::ByteStream& uart0() {
  if (reg(enable_register) == 0) Uart::switch_on();
  return stream;
}

std::uint32_t uart0_errors() { return stream.errors(); }

void wipe_uart0() { stream.wipe(); }

}  // namespace board

extern "C" void uart0_handler() { board::stream.handle(); }
