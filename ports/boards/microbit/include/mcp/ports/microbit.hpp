// SPDX-License-Identifier: Apache-2.0
/// @file
/// The BBC micro:bit, version 1: an nRF51822, which is a Cortex-M0 at 16 MHz with 256 KB of flash and 16 KB of RAM. An
/// executable that links mote::microbit is a complete image, with start-up code, vector table and linker script.
/// @code
/// [[noreturn]] void run(const mcp::Server& server) {
///   mcp::StdioTransport transport{server, board::uart0()};
///   for (;;) board::wait_for_event(transport.poll(board::millis()));
/// }
/// @endcode
///
/// The port uses UART0, TIMER0, the crystal, RNG, TEMP and pins P0.4, P0.13, P0.24 and P0.25. The application may use
/// all other hardware. `nrf51_startup.cpp` has the names of the interrupt handlers. The processor has no memory
/// protection unit: a stack overflow is a fault, because no memory is below RAM, but a read through a null pointer is
/// not. The port has no watchdog.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>

#include "mcp/ports/board.hpp"

namespace board {

// ---- UART ----------------------------------------------------------------------------------------------------------

/// Returns UART0, which the USB interface of the board shows to a PC as a serial port: 115,200 baud, 8 data bits, no
/// parity, 1 stop bit (P0.24 transmits, P0.25 receives). The first call switches it on.
///
/// Receive: an interrupt fills a ring of MOTE_UART_RX_SIZE bytes of RAM (CMake; a power of two, default 256). While the
/// ring is full, the receive interrupt is off. The emulator then stops the sender. On hardware a FIFO of 6 bytes
/// fills, and after that bytes are lost and counted. If a handler may run longer than half of the ring lasts (86.8 us
/// per byte), make the ring longer, such as twice a message.
///
/// Transmit: write() takes bytes as long as the transmitter does (1 on hardware), and then returns `would_block`.
/// wait_for_event() returns when there is space again.
///
/// Errors: 0xFF replaces the bytes in the FIFO if one was damaged or lost. It is never valid in UTF-8, so the server
/// rejects such a message. Reads and writes never return `closed` or `failed`. Context: main loop; never blocks.
mcp::ByteStream& uart0();

/// Returns how many times bytes were damaged or lost since start-up. The counter wraps at 2^32. Context: main loop;
/// never blocks.
std::uint32_t uart0_errors();

// ---- The chip ------------------------------------------------------------------------------------------------------

/// Random bytes of the chip's generator (RNG, thermal noise, with bias correction). Errors: returns false if a byte
/// takes longer than 100 ms. Context: main loop; blocks for about 0.7 ms per byte.
class ChipEntropy final : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t> into) override;
};

/// Reads the temperature of the chip in thousandths of a degree Celsius, in steps of 250. It is not calibrated: 4
/// degrees of error are normal. Errors: returns false and leaves `millidegrees` unchanged if the sensor does not finish
/// within 2 ms, as in the emulator, which does not have it. Context: main loop; blocks for 36 us.
[[nodiscard]] bool read_millidegrees(std::int32_t& millidegrees);

// ---- LED -----------------------------------------------------------------------------------------------------------

/// Switches the LED in the top left corner (row 1, column 1). Context: main loop; never blocks.
void led(bool on);

/// Returns whether led() has switched the LED on. Context: main loop; never blocks.
bool led();

}  // namespace board

#include <mcp/detail/epilogue.hpp>
