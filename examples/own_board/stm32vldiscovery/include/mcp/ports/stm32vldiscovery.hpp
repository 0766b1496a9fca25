// SPDX-License-Identifier: Apache-2.0
/// @file
/// The STM32VLDISCOVERY: an STM32F100RB, which is a Cortex-M3 at 24 MHz with 128 KB of flash and 8 KB of RAM. An
/// executable that links mote::stm32vldiscovery is a complete image, with start-up code, vector table and linker
/// script.
/// @code
/// [[noreturn]] void run(const mcp::Server& server) {
///   mcp::StdioTransport transport{server, board::uart0()};
///   for (;;) board::wait_for_event(transport.poll(board::millis()));
/// }
/// @endcode
///
/// The port uses USART2, SysTick, the PLL, pins PA2, PA3 and PC9, and two regions of the memory protection unit (the
/// stack guard, and read-only flash). The application may use all other hardware. The board has no Ethernet interface.
/// `stm32_startup.cpp` has the names of the interrupt handlers.
#pragma once

#include <cstdint>

#include "mcp/ports/board.hpp"

namespace board {

// ---- UART ----------------------------------------------------------------------------------------------------------

/// Returns USART2: PA2 sends, PA3 receives, 115,200 baud, 8 data bits, no parity, 1 stop bit. The first call switches
/// it on.
///
/// Receive: an interrupt fills a ring of MOTE_UART_RX_SIZE bytes of RAM (CMake; a power of two, default 256). While the
/// ring is full, the receive interrupt is off. The emulator then stops the sender. On hardware bytes are lost and
/// counted.
///
/// Transmit: write() takes bytes as long as the transmitter does (2 on hardware), and then returns `would_block`.
/// wait_for_event() returns when there is space again.
///
/// Errors: 0xFF marks damaged and lost bytes. It is never valid in UTF-8, so the server rejects such a message. Reads
/// and writes never return `closed` or `failed`. Context: main loop; never blocks.
mcp::ByteStream& uart0();

/// Returns how many bytes were damaged or lost since start-up. The counter wraps at 2^32. Context: main loop; never
/// blocks.
std::uint32_t uart0_errors();

// ---- LED -----------------------------------------------------------------------------------------------------------

/// Switches the green LED LD3 (PC9). Context: main loop; never blocks.
void led(bool on);

/// Returns whether led() has switched the LED on. Context: main loop; never blocks.
bool led();

}  // namespace board
