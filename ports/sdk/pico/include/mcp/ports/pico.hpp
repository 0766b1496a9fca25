// SPDX-License-Identifier: Apache-2.0
/// @file
/// mote in a project of the pico-sdk, for Raspberry Pi Pico and Pico 2. It has bytes of a UART or USB, time, sleep,
/// random bytes, the chip temperature, and the LED. CMake targets: `mote::pico`, and `mote::pico_usb` for usb().
/// @code
/// int main() {
///   mcp::StdioTransport transport{server, mcp::pico::usb()};
///   for (;;) mcp::pico::wait_for_event(transport.poll(mcp::pico::millis()));
/// }
/// @endcode
///
/// The port does not use the stdio of the pico-sdk. To print log lines, give stdio a UART that carries no MCP
/// (`pico_enable_stdio_uart`).
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <mcp/port.hpp>
#include <span>

#include <hardware/sync.h>
#include <hardware/uart.h>
#include "mcp/ports/pl011.hpp"
#include "mcp/ports/uart_stream.hpp"

namespace mcp::pico {

// ---- Time and sleep ------------------------------------------------------------------------------------------------

/// Returns the milliseconds since start-up. Context: both cores, main loop or interrupt; never blocks.
Millis millis();

/// Sleeps until bytes are received, bytes can be sent, or wake() is called. It returns at once if there was such an
/// event after its last return. It may also return without an event, so poll everything again.
/// Context: the core that runs the server, main loop; blocks for at most `timeout_ms` milliseconds (mcp::forever: no
/// limit). The core sleeps in WFE. It uses an alarm of the pico-sdk's default alarm pool.
void wait_for_event(Millis timeout_ms);

/// Makes wait_for_event() return. Context: both cores, main loop or interrupt; never blocks.
void wake();

// ---- UART ----------------------------------------------------------------------------------------------------------

using UartErrors = board::UartErrors;  ///< The errors on the receive line of a UART.

/// Disables the interrupts of this core while the object exists.
class UartLock {
 public:
  UartLock() : state_(save_and_disable_interrupts()) {}  ///< Disables them.
  ~UartLock() { restore_interrupts(state_); }
  UartLock(const UartLock&) = delete;
  UartLock& operator=(const UartLock&) = delete;

 private:
  std::uint32_t state_;
};

/// A UART of the chip: 8 data bits, no parity, 1 stop bit, without RTS and CTS.
///
/// Receive: an interrupt fills a ring of `ring_size` bytes. While the ring is full, the interrupt is off, and the FIFO
/// of 32 bytes fills. If the FIFO is full, too, bytes are lost and counted. If a handler may run longer than half of
/// the ring lasts (86.8 us per byte at 115,200 baud), make the ring longer, such as twice a message. MOTE_UART_RX_SIZE,
/// a compile definition of your target, sets its size.
///
/// Errors: 0xFF stands for a damaged byte and for lost bytes. It is never valid in UTF-8, so the server rejects the
/// message, and errors() counts them. Reads and writes never return `closed` or `failed`. For a wire that receives
/// secrets, call wipe() after mcp::StdioTransport::wipe(). Lifetime: the object handles the interrupt of its UART
/// until the program ends. Limits: one object for each UART. Context: main loop of the core that made the object; never
/// blocks.
class Uart final : public board::UartStream<Uart, UartLock> {
 public:
#ifdef MOTE_UART_RX_SIZE
  static constexpr std::size_t ring_size = MOTE_UART_RX_SIZE;  ///< The bytes in the receive ring, a power of two.
#else
  static constexpr std::size_t ring_size = 256;  ///< The bytes in the receive ring, a power of two.
#endif

  /// Switches on `uart` (`uart0` or `uart1`) with `baud` bits per second on two pins (GPIO numbers) that it can use.
  Uart(uart_inst_t* uart, unsigned transmit_pin, unsigned receive_pin, unsigned baud = 115'200);
  Uart(const Uart&) = delete;
  Uart& operator=(const Uart&) = delete;

 private:
  friend board::UartStream<Uart, UartLock>;

  static void handle_uart0();
  static void handle_uart1();
  void handle();
  auto& receiver() { return received_; }
  [[nodiscard]] const auto& receiver() const { return received_; }
  // Only the driver calls these.
  inline bool is_free();
  inline void send(char byte);
  inline void enable_receive_interrupt();
  inline void enable_transmit_interrupt();

  uart_inst_t* uart_;
  board::Pl011Receiver<ring_size> received_;
};

// ---- USB -----------------------------------------------------------------------------------------------------------

/// Returns the serial port of the chip on USB (CDC, through TinyUSB). The first call switches USB on. Use the target
/// `mote::pico_usb`, which supplies the descriptors. MOTE_USB_PRODUCT (a compile definition) names the device.
///
/// While no program on the PC has the port open (DTR off), bytes to send are discarded, as on a wire without a
/// listener. A program that opens the port reads only whole lines. A line that the last program did not finish ends
/// when it closes the port. While the port is open, no byte is lost, because a full buffer delays the sender.
/// Some programs never set DTR, such as .NET programs by default. After such a program has sent a byte, the port is
/// open, too, until the PC has taken no byte for 1 s while some wait. Then they are discarded. A full buffer needs an
/// alarm of the pico-sdk's default alarm pool. If none is free, the bytes are discarded at once.
/// A program that opens the port with 1200 baud resets the chip into its boot loader, as with the pico-sdk's stdio.
/// Reads and writes never return `closed` or `failed`. Context: main loop of one core; never blocks.
ByteStream& usb();

// ---- The chip ------------------------------------------------------------------------------------------------------

/// Random bytes of the pico-sdk (`pico_rand`). On RP2350 they are from its random number generator, on RP2040 mixed
/// from the ring oscillator, the timer and other sources. Context: main loop; blocks for some microseconds. Never
/// fails.
class SdkEntropy final : public Entropy {
 private:
  bool do_fill(std::span<std::uint8_t> into) override;
};

/// Returns a random number of pico_rand for mcp::Services::boot_id, which does not change until a reset. Context: main
/// loop; the first call blocks for some microseconds.
std::uint32_t boot_id();

/// Returns the temperature of the chip in thousandths of a degree Celsius. It switches the ADC on, and selects the
/// input of the sensor. An application that uses the ADC must select its own input again. The sensor is not calibrated,
/// so several degrees of error are normal. Source: RP2040 Datasheet, section 4.9.5. Context: main loop; blocks for 2
/// us.
[[nodiscard]] std::int32_t chip_millidegrees();

/// Switches the LED of the board. Returns false on boards without an LED on a pin, such as Pico W.
/// Context: main loop; never blocks.
bool led(bool on);

}  // namespace mcp::pico

#include <mcp/detail/epilogue.hpp>
