// SPDX-License-Identifier: Apache-2.0
/// @file
/// mote in a project of STM32CubeMX: bytes of a HAL UART, time and sleep. CMake target: `mote::stm32_hal`.
/// @code
/// [[noreturn]] void run(UART_HandleTypeDef* huart2) {
///   static mcp::stm32::Uart uart{huart2};
///   mcp::StdioTransport transport{server, uart};
///   for (;;) mcp::stm32::wait_for_event(transport.poll(mcp::stm32::millis()));
/// }
/// @endcode
///
/// The port includes the `main.h` of the project, which CubeMX writes. It uses no DMA.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <mcp/port.hpp>
#include <span>

#include <main.h>
#include "mcp/ports/interrupt_ring.hpp"

namespace mcp::stm32 {

// ---- Interrupts ----------------------------------------------------------------------------------------------------

/// Disables interrupts while the object exists. The destructor restores the previous state.
class InterruptsOff {
 public:
  /// Disables interrupts.
  InterruptsOff() : was_off_(__get_PRIMASK()) { __disable_irq(); }
  ~InterruptsOff() { __set_PRIMASK(was_off_); }
  InterruptsOff(const InterruptsOff&) = delete;
  InterruptsOff& operator=(const InterruptsOff&) = delete;

 private:
  std::uint32_t was_off_;
};

// ---- Time and sleep ------------------------------------------------------------------------------------------------

/// Returns the milliseconds since start-up: HAL_GetTick(). Context: main loop or interrupt; never blocks.
Millis millis();

/// Sleeps until bytes are received, bytes can be sent, or wake() is called. It returns at once if there was such an
/// event after its last return. It may also return without an event, so poll everything again.
/// Context: main loop, with interrupts on; blocks for at most `timeout_ms` milliseconds (mcp::forever: no limit). The
/// processor sleeps in WFI. A limit needs the interrupt of the HAL tick, which is on unless HAL_SuspendTick() stops it.
void wait_for_event(Millis timeout_ms);

/// Makes wait_for_event() return. Uart calls it, too. Context: main loop or interrupt; never blocks.
/// A project whose server runs in a task of an RTOS defines this function itself, with its wake-up of the task, and
/// calls its own wait in place of wait_for_event(). The one of the port is weak:
/// @code
/// mcp::freertos::StaticTask<4096> task;
/// void mcp::stm32::wake() { task.wake(); }
/// @endcode
void wake();

// ---- UART ----------------------------------------------------------------------------------------------------------

/// A UART that CubeMX has set up, with its global interrupt enabled.
///
/// Receive: an interrupt for each byte fills a ring of `ring_size` bytes. While the ring is full, reception stops, and
/// bytes are lost and counted. If a handler may run longer than half of the ring lasts (86.8 us per byte at 115,200
/// baud), make the ring longer, such as twice a message. MOTE_UART_RX_SIZE, a compile definition of your target, sets
/// its size.
///
/// Transmit: write() copies at most `chunk_size` bytes, which interrupts send. It then returns `would_block` until all
/// are sent.
///
/// Errors: 0xFF follows received bytes if one of them was damaged or lost. It is never valid in UTF-8, so the server
/// rejects the message. A write returns `failed` if the HAL reports an error, and reads and writes never return
/// `closed`.
/// Lifetime: until the program ends. Limits: one object for each UART. No other code of the project uses the UART.
/// Context: main loop; never blocks. RAM: `ring_size` + `chunk_size` + 28 bytes.
class Uart final : public ByteStream {
 public:
#ifdef MOTE_UART_RX_SIZE
  static constexpr std::size_t ring_size = MOTE_UART_RX_SIZE;  ///< The bytes in the receive ring, a power of two.
#else
  static constexpr std::size_t ring_size = 256;  ///< The bytes in the receive ring, a power of two.
#endif
  static constexpr std::size_t chunk_size = 64;  ///< The maximum number of bytes for one write.

  /// Starts to receive. Ownership: the caller owns `handle`. Call it after the MX_…_UART_Init() of this UART.
  explicit Uart(UART_HandleTypeDef* handle);
  Uart(const Uart&) = delete;
  Uart& operator=(const Uart&) = delete;

  /// Returns the number of times that bytes were damaged or lost since start-up. The counter wraps at 2^32.
  [[nodiscard]] std::uint32_t errors() const { return errors_; }

  /// Overwrites the read bytes that the object still holds with zeros. In a program that receives secrets, call it
  /// after mcp::StdioTransport::wipe(). Context: main loop; interrupts are off meanwhile.
  void wipe();

  /// For HAL_UART_RxCpltCallback(). Ignores the UART if no object has it. Context: interrupt.
  static void received(UART_HandleTypeDef* handle);
  /// For HAL_UART_TxCpltCallback(). Ignores the UART if no object has it. Context: interrupt.
  static void sent(UART_HandleTypeDef* handle);
  /// For HAL_UART_ErrorCallback(). Ignores the UART if no object has it. Context: interrupt.
  static void failed(UART_HandleTypeDef* handle);

 private:
  static Uart* find(const UART_HandleTypeDef* handle);
  static void clear_overrun(UART_HandleTypeDef* handle);
  IoResult do_read(std::span<char> into) override;
  IoResult do_write(std::span<const char> from) override;
  void receive();
  void take(char byte);

  static Uart* first;
  Uart* next_;
  UART_HandleTypeDef* handle_;
  board::InterruptRing<ring_size> ring_;
  std::uint8_t byte_ = 0;           // the HAL receives into it
  std::uint8_t chunk_[chunk_size];  // the HAL sends it
  volatile std::uint32_t errors_ = 0;
  volatile bool is_stopped_ = false;  // reception is stopped, because the ring is full
  volatile bool is_sending_ = false;
  volatile bool is_byte_lost_ = false;  // a byte was lost, and the ring had no space for the mark
};

}  // namespace mcp::stm32

#include <mcp/detail/epilogue.hpp>
