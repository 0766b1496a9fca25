// SPDX-License-Identifier: Apache-2.0
/// @file
/// The receive side of a PL011, the UART of many Arm chips: errors, and a ring between the interrupt and the main loop.
/// @code
/// board::Pl011Receiver<256> receiver;
/// extern "C" void uart_isr() {
///   while (receiver.has_room() && board::uart_has_byte()) receiver.take(board::uart_data_register());
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/ports/interrupt_ring.hpp"

namespace board {

/// The errors on the receive line of a UART since start-up. The counters wrap at 2^32.
struct UartErrors {
  std::uint32_t framing;  ///< Bytes with a wrong stop bit, from noise or a wrong baud rate.
  std::uint32_t parity;   ///< Bytes with a wrong parity bit (never with the 8N1 format).
  std::uint32_t breaks;   ///< Times the line was held low for longer than a byte.
  std::uint32_t overrun;  ///< Times the hardware FIFO was full and bytes were lost.
};

/// Received bytes. `not_text` replaces a damaged byte, and stands before the first byte after a loss.
/// Limits: `capacity` is a power of two from 2 to 32,768.
/// Source: PrimeCell UART (PL011) Technical Reference Manual, UARTDR.
template <std::size_t capacity>
class Pl011Receiver {
  static_assert(capacity >= 2, "a mark and the byte behind it need two places");

 public:
  /// Returns whether take() may be called. Context: interrupt.
  [[nodiscard]] bool has_room() const { return received_.size() <= capacity - 2; }

  /// Takes a value of the data register. Returns whether a reader of lines should read now, after an error or as
  /// InterruptRing::is_due(). Context: interrupt, after has_room() has returned true.
  bool take(std::uint32_t data) {
    const bool has_error = (data & (damaged | overrun_error)) != 0;
    const char byte = has_error ? take_error(data) : static_cast<char>(data);
    received_.push(byte);
    return has_error || received_.is_due(byte);  // after a loss, the half of the ring may have been the byte before
  }

  /// Moves the oldest bytes into `into`, as many as fit. Returns their number. Context: main loop; never blocks.
  std::size_t pop(std::span<char> into) { return received_.pop(into); }

  /// Overwrites all bytes that pop() has returned with zeros. Context: main loop, while the interrupt is off.
  void wipe() { received_.wipe(); }

  /// Returns the counters. Context: main loop, while the interrupt is off.
  [[nodiscard]] UartErrors errors() const { return {counts_[0], counts_[1], counts_[2], counts_[3]}; }

 private:
  static constexpr std::uint32_t framing_error = 1u << 8;
  static constexpr std::uint32_t parity_error = 1u << 9;
  static constexpr std::uint32_t break_error = 1u << 10;
  static constexpr std::uint32_t overrun_error = 1u << 11;
  static constexpr std::uint32_t damaged = framing_error | parity_error | break_error;

  // Returns the byte that replaces the damaged one.
  char take_error(std::uint32_t data) {
    // A break is also a framing error.
    std::uint32_t errors = (data & break_error) != 0 ? data & ~framing_error : data;
    errors >>= 8;
    for (std::uint32_t& count : counts_) {
      count += errors & 1;
      errors >>= 1;
    }
    // The UART sets it in the first byte that the FIFO takes after the loss.
    if ((data & overrun_error) != 0) received_.push(not_text);
    return (data & damaged) != 0 ? not_text : static_cast<char>(data);
  }

  InterruptRing<capacity> received_;
  std::uint32_t counts_[4]{};  // counters for the error bits of the data register, from framing on
};

}  // namespace board

#include <mcp/detail/epilogue.hpp>
