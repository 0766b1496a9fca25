// SPDX-License-Identifier: Apache-2.0
// UART0 (a PL011) as a ByteStream: received bytes by interrupt into a ring, sent bytes straight into the FIFO.
// Knows no framing and no message.
//
// Receive and receive-timeout interrupts stay raised for as long as the FIFO has bytes for them, so masking them while
// the ring is full and unmasking them later loses nothing; nothing ever clears them by hand.
#include "mcp/ports/lm3s6965evb.hpp"
#include "mcp/ports/uart_stream.hpp"
#include "ports/bare_metal/startup.hpp"
#include "ports/boards/lm3s6965evb/lm3s6965_registers.hpp"

namespace board {
namespace {

constexpr std::uint32_t baud = 115'200;
constexpr unsigned interrupt_number = 5;

// "Universal Asynchronous Receivers/Transmitters (UARTs)": registers of UART0.
constexpr std::uint32_t uart_dr = 0x4000'C000;    // Data, and with it the errors of this byte
constexpr std::uint32_t uart_fr = 0x4000'C018;    // Flags
constexpr std::uint32_t uart_ibrd = 0x4000'C024;  // Baud rate divisor, whole part
constexpr std::uint32_t uart_fbrd = 0x4000'C028;  // Baud rate divisor, 64ths
constexpr std::uint32_t uart_lcrh = 0x4000'C02C;  // Line control
constexpr std::uint32_t uart_ctl = 0x4000'C030;   // Control
constexpr std::uint32_t uart_ifls = 0x4000'C034;  // FIFO levels that interrupt
constexpr std::uint32_t uart_im = 0x4000'C038;    // Interrupt mask: 1 = on
constexpr std::uint32_t uart_mis = 0x4000'C040;   // Interrupt status after the mask
constexpr std::uint32_t uart_icr = 0x4000'C044;   // Interrupt clear

constexpr std::uint32_t fr_busy = bit(3);  // Until the last stop bit has gone
constexpr std::uint32_t fr_receive_empty = bit(4);
constexpr std::uint32_t fr_transmit_full = bit(5);
constexpr std::uint32_t lcrh_8n1 = 3u << 5;
constexpr std::uint32_t lcrh_fifo = bit(4);
constexpr std::uint32_t ctl_enable = bit(0) | bit(8) | bit(9);
constexpr std::uint32_t ifls_half = 2u << 3 | 2u;  // Receive: half full. Transmit: half empty.
constexpr std::uint32_t interrupt_receive = bit(4) | bit(6);
constexpr std::uint32_t interrupt_transmit = bit(5);

constexpr std::uint32_t divisor_64 = (core_clock_hz * 4 + baud / 2) / baud;  // clock / (16 x baud), in 64ths, rounded

constinit Pl011Receiver<MOTE_UART_RX_SIZE> received;

class Uart final : public UartStream<Uart, InterruptsOff> {
 public:
  static void switch_on() {
    clock_on(sysctl_rcgc1, rcgc1_uart0);
    clock_on(sysctl_rcgc2, rcgc2_port_a);
    reg(gpio_a + gpio_afsel) |= bit(0) | bit(1);
    reg(gpio_a + gpio_den) |= bit(0) | bit(1);
    reg(uart_ibrd) = divisor_64 / 64;
    reg(uart_fbrd) = divisor_64 % 64;
    // Switching the FIFO on empties it. Only the emulated UART, which receives before it is switched on, can have a
    // byte by now; it goes without FIFO then, which costs it nothing and does not lose that byte.
    const bool has_byte = (reg(uart_fr) & fr_receive_empty) == 0;
    reg(uart_lcrh) = has_byte ? lcrh_8n1 : lcrh_8n1 | lcrh_fifo;
    reg(uart_ifls) = ifls_half;
    reg(uart_im) = interrupt_receive;
    reg(uart_ctl) = ctl_enable;
    reg(nvic_iser0) = bit(interrupt_number);
  }

  void handle() {
    // Passes: each makes one place less in the ring, so at most its size.
    while ((reg(uart_fr) & fr_receive_empty) == 0) {
      if (!received.has_room()) {
        reg(uart_im) &= ~interrupt_receive;
        break;
      }
      if (received.take(reg(uart_dr)) || !reads_lines()) wake_from_isr();
    }
    if ((reg(uart_mis) & interrupt_transmit) != 0) {
      reg(uart_im) &= ~interrupt_transmit;
      reg(uart_icr) = interrupt_transmit;
      wake_from_isr();
    }
  }

  static auto& receiver() { return received; }
  // A full FIFO takes 1.4 ms.
  static bool is_free() { return (reg(uart_fr) & fr_busy) == 0; }
  static bool has_space() { return (reg(uart_fr) & fr_transmit_full) == 0; }
  static void send(char byte) { reg(uart_dr) = static_cast<unsigned char>(byte); }
  static void enable_receive_interrupt() { unmask(interrupt_receive); }
  // The FIFO is full, so it still has to pass the level that interrupts: no wake-up is missed.
  static void enable_transmit_interrupt() { unmask(interrupt_transmit); }

 private:
  // The handler changes the mask as well. Not inlined twice.
  [[gnu::noinline]] static void unmask(std::uint32_t interrupts) {
    const InterruptsOff guard;
    reg(uart_im) |= interrupts;
  }
};

constinit Uart stream;

}  // namespace

void write_polled(char byte) {
  static_cast<void>(uart0());
  stream.write_polled(byte);
}

mcp::ByteStream& uart0() {
  if ((reg(sysctl_rcgc1) & rcgc1_uart0) == 0) Uart::switch_on();
  return stream;
}

UartErrors uart0_errors() { return stream.errors(); }

void wipe_uart0() { stream.wipe(); }

}  // namespace board

extern "C" void uart0_handler() { board::stream.handle(); }
