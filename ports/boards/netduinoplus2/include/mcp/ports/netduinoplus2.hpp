// SPDX-License-Identifier: Apache-2.0
/// @file
/// The Netduino Plus 2: an STM32F405RG, which is a Cortex-M4 with a floating-point unit at 168 MHz, with 1 MB of flash,
/// 128 KB of RAM, and 64 KB of RAM at the core (CCM). An executable that links mote::netduinoplus2 is a complete image,
/// with start-up code, vector table and linker script.
/// @code
/// [[noreturn]] void run(const mcp::Server& server) {
///   mcp::StdioTransport transport{server, board::uart0()};
///   for (;;) board::wait_for_event(transport.poll(board::millis()));
/// }
/// @endcode
///
/// The port uses USART6, SysTick, the PLL, RNG, pins PA10, PC6 and PC7, and four regions of the memory protection unit:
/// the stack guard, read-only flash, CCM, and the unique id. The application may use all other hardware.
/// `stm32f405_startup.cpp` has the names of the interrupt handlers. A variable with `[[gnu::section(".ccm")]]` is in
/// CCM: start-up does not clear it, and DMA does not reach it. QEMU 7.2 has no CCM. The port has no driver for the
/// Ethernet chip of the board (ENC28J60), and no watchdog.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>

#include "mcp/ports/board.hpp"

namespace board {

// ---- UART ----------------------------------------------------------------------------------------------------------

/// Returns USART6: D1 (PC6) sends, D0 (PC7) receives, 115,200 baud, 8 data bits, no parity, 1 stop bit. The first call
/// switches it on.
///
/// Receive: an interrupt fills a ring of MOTE_UART_RX_SIZE bytes of RAM (CMake; a power of two, default 256). While the
/// ring is full, the receive interrupt is off. The emulator then stops the sender. On hardware bytes are lost and
/// counted. If a handler may run longer than half of the ring lasts (86.8 us per byte), make the ring longer, such as
/// twice a message.
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

// ---- The chip ------------------------------------------------------------------------------------------------------

/// Random bytes of the chip's generator (RNG). Errors: returns false if the generator reports an error of its clock or
/// seed, gives the same word twice, or does not answer, as in the emulator, which does not have it. Context: main loop;
/// blocks for about 1 us per 4 bytes, at most 1 ms.
class ChipEntropy final : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t> into) override;
};

// ---- LED -----------------------------------------------------------------------------------------------------------

/// Switches the blue LED (PA10). Context: main loop; never blocks.
void led(bool on);

/// Returns whether led() has switched the LED on. Context: main loop; never blocks.
bool led();

}  // namespace board

#include <mcp/detail/epilogue.hpp>
