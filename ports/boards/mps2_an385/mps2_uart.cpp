// SPDX-License-Identifier: Apache-2.0
// UART0 (the UART of the Cortex-M System Design Kit) as a ByteStream: received bytes by interrupt into a ring, sent
// bytes straight into the transmitter. Knows no framing and no message.
#include "mcp/ports/mps2_an385.hpp"
#include "mcp/ports/uart_stream.hpp"
#include "ports/bare_metal/startup.hpp"
#include "ports/boards/mps2_an385/mps2_registers.hpp"

namespace board {
namespace {

// "Cortex-M System Design Kit Technical Reference Manual", APB UART.
constexpr std::uint32_t data_register = uart0_registers + 0x0;
constexpr std::uint32_t state_register = uart0_registers + 0x4;
constexpr std::uint32_t control_register = uart0_registers + 0x8;
constexpr std::uint32_t interrupt_register = uart0_registers + 0xC;  // A 1 written clears
constexpr std::uint32_t baud_register = uart0_registers + 0x10;

constexpr std::uint32_t state_transmit_full = bit(0);
constexpr std::uint32_t state_receive_full = bit(1);
constexpr std::uint32_t state_receive_overrun = bit(3);  // A 1 written clears
constexpr std::uint32_t control_on = bit(0) | bit(1);
constexpr std::uint32_t control_transmit_interrupt = bit(2);
constexpr std::uint32_t control_receive_interrupt = bit(3);
constexpr std::uint32_t interrupt_transmit = bit(0);
constexpr std::uint32_t interrupt_receive = bit(1);

constexpr std::uint32_t baud = 115'200;

UartReceiver<MOTE_UART_RX_SIZE> received;
bool is_byte_lost;

void discard(std::uint32_t) {}

void set_control(std::uint32_t bits) { reg(control_register) = reg(control_register) | bits; }
void clear_control(std::uint32_t bits) { reg(control_register) = reg(control_register) & ~bits; }

// Call with interrupts off. Returns whether a reader of lines has a reason to read.
bool take_bytes() {
  return received.fill([](char& byte) {
    const std::uint32_t state = reg(state_register);
    if ((state & state_receive_overrun) != 0) {
      reg(state_register) = state_receive_overrun;
      received.count_error();
      is_byte_lost = true;
    }
    if ((state & state_receive_full) != 0) {
      byte = static_cast<char>(reg(data_register));
      return true;
    }
    if (!is_byte_lost) return false;
    is_byte_lost = false;
    return true;
  });
}

class Uart final : public UartStream<Uart, InterruptsOff, InterruptsOff> {
 public:
  static void switch_on() {
    reg(baud_register) = (core_clock_hz + baud / 2) / baud;
    reg(control_register) = control_on | control_receive_interrupt;
    // This read makes the emulator ask for input again. On hardware there is no new byte yet.
    if ((reg(state_register) & state_receive_full) == 0) discard(reg(data_register));
    reg(nvic_iser0) = bit(uart0_receive_interrupt) | bit(uart0_transmit_interrupt);
  }

  void handle_receive() {
    reg(interrupt_register) = interrupt_receive;
    const bool is_due = take_bytes() || !reads_lines();
    if (received.full()) clear_control(control_receive_interrupt);
    if (is_due) wake_from_isr();
  }

  static auto& receiver() { return received; }
  static bool is_free() { return (reg(state_register) & state_transmit_full) == 0; }

  // With the interrupt on, the transmitter is looked at once more: it may have become free before that.
  static bool has_space() {
    if (is_free()) return true;
    set_control(control_transmit_interrupt);
    if (!is_free()) return false;
    clear_control(control_transmit_interrupt);
    return true;
  }

  static void send(char byte) { reg(data_register) = static_cast<unsigned char>(byte); }

  // The interrupt reports new bytes, but not those that arrived meanwhile.
  static void enable_receive_interrupt() {
    const InterruptsOff guard;
    set_control(control_receive_interrupt);
    static_cast<void>(take_bytes());
  }

  static void enable_transmit_interrupt() {}  // has_space() has
};

constinit Uart stream;

}  // namespace

void write_polled(char byte) {
  static_cast<void>(uart0());
  // The transmitter takes a byte after 87 us at the latest.
  stream.write_polled(byte, 32'768);
}

mcp::ByteStream& uart0() {
  if (reg(control_register) == 0) Uart::switch_on();
  return stream;
}

std::uint32_t uart0_errors() { return stream.errors(); }

void wipe_uart0() { stream.wipe(); }

}  // namespace board

extern "C" void uart0_receive_handler() { board::stream.handle_receive(); }

extern "C" void uart0_transmit_handler() {
  using namespace board;
  clear_control(control_transmit_interrupt);
  reg(interrupt_register) = interrupt_transmit;
  wake_from_isr();
}
