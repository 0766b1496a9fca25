// SPDX-License-Identifier: Apache-2.0
// The NS16550 as a ByteStream: received bytes by interrupt into a ring, sent bytes straight into the transmitter. Knows
// no framing and no message.
//
// The receive interrupt stays raised for as long as there are bytes, so masking it while the ring is full and unmasking
// it later loses nothing.
#include "mcp/ports/processor.hpp"
#include "mcp/ports/uart_stream.hpp"
#include "mcp/ports/virt.hpp"
#include "ports/bare_metal/startup.hpp"
#include "ports/boards/virt/virt_internal.hpp"

namespace board {
namespace {

// "PC16550D Universal Asynchronous Receiver/Transmitter with FIFOs": registers, one byte each.
constexpr std::uint32_t data_register = ns16550 + 0;
constexpr std::uint32_t interrupt_enable = ns16550 + 1;
constexpr std::uint32_t interrupt_identity = ns16550 + 2;  // Reading it acknowledges that the transmitter is empty
constexpr std::uint32_t line_control = ns16550 + 3;
constexpr std::uint32_t line_status = ns16550 + 5;

constexpr std::uint8_t interrupt_receive = 1;
constexpr std::uint8_t interrupt_transmit = 2;
constexpr std::uint8_t line_8n1 = 3;
constexpr std::uint8_t line_divisor = 0x80;  // The first two registers are the divisor
constexpr std::uint8_t status_received = 0x01;
constexpr std::uint8_t status_overrun = 0x02;
constexpr std::uint8_t status_damaged = 0x04 | 0x08 | 0x10;  // Parity, framing, break
constexpr std::uint8_t status_transmit_empty = 0x20;

constexpr std::uint32_t divisor = 3'686'400 / (16 * 115'200);  // The clock of the UART, and 115200 baud

UartReceiver<MOTE_UART_RX_SIZE> received;
bool is_byte_lost;
bool is_on;

volatile std::uint8_t& reg8(std::uint32_t address) {
  return *reinterpret_cast<volatile std::uint8_t*>(address);  // NOLINT(performance-no-int-to-ptr)
}

void set_bits(std::uint32_t address, unsigned bits) { reg8(address) = static_cast<std::uint8_t>(reg8(address) | bits); }
void clear_bits(std::uint32_t address, unsigned bits) {
  reg8(address) = static_cast<std::uint8_t>(reg8(address) & ~bits);
}

// Reading it clears the flag for lost bytes, so each reader stores the flag. Call with interrupts off.
std::uint8_t take_status() {
  const std::uint8_t status = reg8(line_status);
  if ((status & status_overrun) != 0) {
    received.count_error();
    is_byte_lost = true;
  }
  return status;
}

void handle_interrupt();

class Uart final : public UartStream<Uart, InterruptsOff, InterruptsOff> {
 public:
  static void switch_on() {
    reg8(line_control) = line_8n1 | line_divisor;
    reg8(data_register) = divisor;
    reg8(interrupt_enable) = 0;
    reg8(line_control) = line_8n1;
    // Without FIFO: switching it on empties it, and the emulated UART receives before it is switched on. It holds the
    // sender back in either way.
    reg8(interrupt_enable) = interrupt_receive;
    on_interrupt(uart_interrupt, handle_interrupt);
  }

  // Takes one byte: there is no FIFO, and the interrupt stays raised while there is another one.
  [[gnu::flatten]] void handle() {
    // Before the status: a transmitter that is empty after this read is another interrupt.
    [[maybe_unused]] const std::uint8_t identity = reg8(interrupt_identity);
    const std::uint8_t status = take_status();
    bool is_due = !reads_lines();
    if ((status & status_received) != 0 && received.full()) {
      clear_bits(interrupt_enable, interrupt_receive);
    } else if ((status & status_received) != 0) {
      char byte = static_cast<char>(reg8(data_register));
      if ((status & status_damaged) != 0) {
        received.count_error();
        byte = not_text;
      }
      received.push(byte);
      is_due |= received.is_due(byte);
    }
    if (is_byte_lost) {
      is_byte_lost = !received.push(not_text);
      is_due = true;
    }
    if ((reg8(interrupt_enable) & interrupt_transmit) != 0 && (status & status_transmit_empty) != 0) {
      clear_bits(interrupt_enable, interrupt_transmit);
      is_due = true;
    }
    if (is_due) wake_from_isr();
  }

  static auto& receiver() { return received; }
  static bool is_free() { return (reg8(line_status) & status_transmit_empty) != 0; }
  static bool has_space() { return (take_status() & status_transmit_empty) != 0; }
  static void send(char byte) { reg8(data_register) = static_cast<std::uint8_t>(byte); }

  static void enable_receive_interrupt() {
    const InterruptsOff guard;
    set_bits(interrupt_enable, interrupt_receive);
  }

  static void enable_transmit_interrupt() { set_bits(interrupt_enable, interrupt_transmit); }
};

constinit Uart stream;

void handle_interrupt() { stream.handle(); }

}  // namespace

void write_polled(char byte) {
  static_cast<void>(uart0());
  stream.write_polled(byte);
}

mcp::ByteStream& uart0() {
  if (!is_on) Uart::switch_on();
  is_on = true;
  return stream;
}

std::uint32_t uart0_errors() { return stream.errors(); }

void wipe_uart0() { stream.wipe(); }

}  // namespace board
