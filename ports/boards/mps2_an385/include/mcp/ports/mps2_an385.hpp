// SPDX-License-Identifier: Apache-2.0
/// @file
/// The Arm MPS2 board with the FPGA image AN385: a Cortex-M3 at 25 MHz with 4 MB for code and 4 MB of RAM. The same
/// images run on AN386, which has a Cortex-M4. An executable that links mote::mps2_an385 is a complete image, with
/// start-up code, vector table and linker script.
/// @code
/// [[noreturn]] void run(const mcp::Server& server) {
///   mcp::StdioTransport transport{server, board::uart0()};
///   for (;;) board::wait_for_event(transport.poll(board::millis()));
/// }
/// @endcode
///
/// The port uses UART0, Ethernet, timers 0 and 1, and two regions of the memory protection unit (the stack guard, and
/// read-only code). The application may use all other hardware. `mps2_startup.cpp` has the names of the interrupt
/// handlers.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>

#include "mcp/ports/board.hpp"

namespace board {

// ---- UART ----------------------------------------------------------------------------------------------------------

/// Returns UART0: 115,200 baud, 8 data bits, no parity, 1 stop bit, no FIFO. The first call switches it on.
///
/// Receive: an interrupt fills a ring of MOTE_UART_RX_SIZE bytes of RAM (CMake; a power of two, default 256). While the
/// ring is full, the receive interrupt is off. The emulator then stops the sender. On hardware bytes are lost and
/// counted. If a handler may run longer than half of the ring lasts (86.8 us per byte), make the ring longer, such as
/// twice a message.
///
/// Transmit: write() takes bytes as long as the transmitter does (2 on hardware), and then returns `would_block`.
/// wait_for_event() returns when there is space again.
///
/// Errors: 0xFF marks lost bytes. It is never valid in UTF-8, so the server rejects such a message. Reads and writes
/// never return `closed` or `failed`. Context: main loop; never blocks.
mcp::ByteStream& uart0();

/// Returns how many times bytes were lost since start-up. The counter wraps at 2^32. Context: main loop; never blocks.
std::uint32_t uart0_errors();

// ---- Ethernet ------------------------------------------------------------------------------------------------------

/// Returns the LAN9118 and its PHY. Its EEPROM has the address. The first call switches it on.
///
/// Receive: frames wait in the hardware FIFO. Frames that do not fit are lost.
///
/// Transmit: send() blocks until the FIFO has space for the frame, for at most 1.2 ms at 10 Mbit/s. Context: main loop.
mcp::Ethernet& ethernet();

}  // namespace board

#include <mcp/detail/epilogue.hpp>
