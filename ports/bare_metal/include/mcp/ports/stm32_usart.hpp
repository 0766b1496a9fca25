// SPDX-License-Identifier: Apache-2.0
/// @file
/// A USART of an STM32 as an mcp::ByteStream, for ports to boards with a chip of the families F1, F2, F4 or L1, which
/// have the same registers. The port switches on clocks and pins, and has the interrupt handler.
/// @code
/// constinit board::Stm32Usart<0x4000'4400, 38, 256> usart;  // USART2 of an STM32F1
/// mcp::ByteStream& board::uart0() {
///   if (!usart.is_on()) usart.begin(24'000'000 / 115'200);
///   return usart;
/// }
/// extern "C" void usart2_handler() { usart.handle(); }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>

#include "mcp/ports/board.hpp"
#include "mcp/ports/cortex_m.hpp"
#include "mcp/ports/uart_stream.hpp"

namespace board {

/// The USART with its registers at the address `registers`, and the number `interrupt` in the vector table: 8 data
/// bits, no parity, 1 stop bit. Source: RM0041 and RM0090 of ST, "Universal synchronous asynchronous receiver
/// transmitter".
///
/// Receive: an interrupt fills a ring of `ring_size` bytes. While the ring is full, the interrupt is off. It stays
/// raised while there is a received byte, so switching it off loses nothing. After a second byte, bytes are lost.
/// Transmit: write() takes bytes as long as the transmitter does (2), and then returns `would_block`.
///
/// Errors: `not_text` replaces a damaged byte, and stands where bytes are lost. Reads and writes never return `closed`
/// or `failed`. Limits: `ring_size` is a power of two, at most 32,768. Context: main loop, except handle() and
/// write_polled(); never blocks.
template <std::uint32_t registers, unsigned interrupt, std::size_t ring_size>
class Stm32Usart final : public UartStream<Stm32Usart<registers, interrupt, ring_size>, InterruptsOff> {
 public:
  constexpr Stm32Usart() = default;
  Stm32Usart(const Stm32Usart&) = delete;
  Stm32Usart& operator=(const Stm32Usart&) = delete;

  /// Switches the USART and its interrupt on. `divisor`: the clock of its bus divided by the baud rate, rounded.
  void begin(std::uint32_t divisor) {
    reg(brr) = divisor;
    reg(cr1) = cr1_on | cr1_receive_interrupt;
    reg(nvic_enable) = interrupt_bit;
  }

  /// Returns whether begin() was called. Context: any.
  [[nodiscard]] bool is_on() const { return reg(cr1) != 0; }

  /// Context: the interrupt of this USART.
  void handle() {
    bool is_due = received_.fill([this](char& byte) { return next(byte); }) || !this->reads_lines();
    std::uint32_t control = reg(cr1);
    if ((control & cr1_transmit_interrupt) != 0 && is_free()) {
      control &= ~cr1_transmit_interrupt;
      is_due = true;
    }
    if (received_.full()) control &= ~cr1_receive_interrupt;
    reg(cr1) = control;
    // The interrupt of QEMU stays raised while a byte waits, whatever its mask says.
    if ((control & (cr1_receive_interrupt | cr1_transmit_interrupt)) == 0) reg(nvic_disable) = interrupt_bit;
    if (is_due) wake_from_isr();
  }

 private:
  friend UartStream<Stm32Usart, InterruptsOff>;

  static constexpr std::uint32_t sr = registers + 0x0;   // Status
  static constexpr std::uint32_t dr = registers + 0x4;   // Data; reading it after the status clears the errors
  static constexpr std::uint32_t brr = registers + 0x8;  // Baud rate divisor
  static constexpr std::uint32_t cr1 = registers + 0xC;  // Control
  static constexpr std::uint32_t nvic_enable = nvic_iser0 + interrupt / 32 * 4;
  static constexpr std::uint32_t nvic_disable = nvic_enable + 0x80;
  static constexpr std::uint32_t interrupt_bit = bit(interrupt % 32);

  static constexpr std::uint32_t sr_damaged = bit(0) | bit(1) | bit(2);  // Parity, framing, noise
  static constexpr std::uint32_t sr_overrun = bit(3);
  static constexpr std::uint32_t sr_received = bit(5);
  static constexpr std::uint32_t sr_transmit_empty = bit(7);
  static constexpr std::uint32_t cr1_on = bit(13) | bit(3) | bit(2);  // USART, transmitter, receiver
  static constexpr std::uint32_t cr1_receive_interrupt = bit(5);
  static constexpr std::uint32_t cr1_transmit_interrupt = bit(7);

  auto& receiver() { return received_; }
  [[nodiscard]] const auto& receiver() const { return received_; }
  static bool is_free() { return (reg(sr) & sr_transmit_empty) != 0; }
  static void send(char byte) { reg(dr) = static_cast<unsigned char>(byte); }
  static void enable_receive_interrupt() { unmask(cr1_receive_interrupt); }
  // This interrupt stays raised as well: no wake-up is missed.
  static void enable_transmit_interrupt() { unmask(cr1_transmit_interrupt); }

  // The handler changes the mask as well.
  static void unmask(std::uint32_t interrupts) {
    const InterruptsOff guard;
    reg(cr1) = reg(cr1) | interrupts;
    reg(nvic_enable) = interrupt_bit;
  }

  bool next(char& byte) {
    if (!is_byte_lost_) {
      const std::uint32_t status = reg(sr);
      if ((status & (sr_received | sr_overrun)) == 0) return false;
      const std::uint32_t data = reg(dr);
      if ((status & sr_damaged) != 0) {
        received_.count_error();
      } else {
        byte = static_cast<char>(data);
      }
      // An overrun reports a byte lost after this one.
      if ((status & sr_overrun) != 0) {
        received_.count_error();
        is_byte_lost_ = true;
      }
      if ((status & sr_received) != 0) return true;
      byte = not_text;
    }
    is_byte_lost_ = false;
    return true;
  }

  UartReceiver<ring_size> received_;
  bool is_byte_lost_ = false;  // After the newest byte that was read
};

}  // namespace board

#include <mcp/detail/epilogue.hpp>
