// SPDX-License-Identifier: Apache-2.0
/// @file
/// A UART as an mcp::ByteStream, for a driver that has only the registers: an interrupt fills a ring with received
/// bytes, and bytes to send go into the transmitter.
/// @code
/// board::UartReceiver<256> received;  // the interrupt calls received.fill()
/// class Uart final : public board::UartStream<Uart, board::InterruptsOff> {
///  public:
///   static board::UartReceiver<256>& receiver() { return received; }
///   static bool is_free() { return board::uart_is_free(); }
///   static void send(char byte) { board::uart_send(byte); }
///   static void enable_receive_interrupt() { board::uart_enable(1); }
///   static void enable_transmit_interrupt() { board::uart_enable(2); }
/// };
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <mcp/port.hpp>
#include <span>

#include "mcp/ports/interrupt_ring.hpp"

namespace board {

/// A ring for the bytes that a UART receives, and the number of errors. `not_text` replaces a damaged byte, and stands
/// where bytes are lost. Limits: as for InterruptRing. RAM: 4 bytes more.
template <std::size_t capacity>
class UartReceiver : public InterruptRing<capacity> {
 public:
  /// Counts one error. Context: producer.
  void count_error() { ++errors_; }

  /// Returns the number of errors. It wraps at 2^32. Context: consumer, while the producer cannot run.
  [[nodiscard]] std::uint32_t errors() const { return errors_; }

 private:
  std::uint32_t errors_ = 0;
};

/// For a UartStream whose handler shares no register with a write: disables nothing.
struct NoLock {};

/// The functions of a ByteStream over a UART. `Uart`, the driver, derives from it, and has:
/// - `receiver()`: returns a UartReceiver or Pl011Receiver;
/// - `bool is_free()`: the transmitter takes a byte;
/// - `void send(char)`: gives it a byte;
/// - `bool has_space()`: optional, as is_free(), for writes;
/// - `void enable_receive_interrupt()`: called when the ring has space again;
/// - `void enable_transmit_interrupt()`: called when a write waits. The interrupt then ends the sleep when the
///   transmitter is free, also if it is free by now.
///
/// An object of `Lock` disables interrupts while it exists. So does one of `WriteLock`, during a write.
/// Errors: reads and writes never return `closed` or `failed`. Context: main loop; never blocks.
template <class Uart, class Lock, class WriteLock = NoLock>
class UartStream : public mcp::ByteStream {
 public:
  /// Overwrites all received bytes that were read with zeros. Interrupts are off for about 1 us per 16 bytes of the
  /// ring on a Cortex-M3 at 50 MHz.
  void wipe() {
    [[maybe_unused]] const Lock lock{};
    uart().receiver().wipe();
  }

  /// Returns how many times bytes were damaged or lost: a copy of the counters of the receiver.
  [[nodiscard]] auto errors() const {
    [[maybe_unused]] const Lock lock{};
    return static_cast<const Uart&>(*this).receiver().errors();
  }

  /// Waits until is_free() returns true, for at most `looks` calls, and sends `byte`. Context: on the way to the end of
  /// the image, with interrupts off; blocks.
  void write_polled(char byte, unsigned looks = 65'536) {
    while (looks != 0 && !uart().is_free()) --looks;
    uart().send(byte);
  }

 private:
  friend Uart;
  constexpr UartStream() = default;
  ~UartStream() = default;

  // Of a Uart without a function of this name.
  bool has_space() { return uart().is_free(); }

  Uart& uart() { return static_cast<Uart&>(*this); }

  // The tables of virtual functions of each Uart name these two, in every compiler here.
  mcp::IoResult do_read(std::span<char> into) override {  // NOLINT(portability-template-virtual-member-function)
    const std::size_t size = uart().receiver().pop(into);
    if (size == 0) return {mcp::IoStatus::would_block, 0};
    uart().enable_receive_interrupt();
    return {mcp::IoStatus::ok, size};
  }

  mcp::IoResult do_write(std::span<const char> from) override {  // NOLINT(portability-template-virtual-member-function)
    [[maybe_unused]] const WriteLock lock{};
    std::size_t size = 0;
    while (size < from.size() && uart().has_space()) uart().send(from[size++]);
    if (size < from.size()) uart().enable_transmit_interrupt();
    if (size == 0) return {mcp::IoStatus::would_block, 0};
    return {mcp::IoStatus::ok, size};
  }
};

}  // namespace board

#include <mcp/detail/epilogue.hpp>
