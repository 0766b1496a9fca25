// Arm's MPS2 board with the FPGA image AN385: a Cortex-M3 at 25 MHz with 4 MB for code and 4 MB of RAM, its UART,
// Ethernet and clock. The same images run on AN386, which has a Cortex-M4. An executable that links mote::mps2_an385 is
// a complete image: start-up, vector table and linker script come along. Knows no MCP: bytes and milliseconds only.
//
// Taken by the port: UART0, Ethernet, timers 0 and 1 and two regions of the memory protection unit (the stack guard;
// code is read-only). Everything else is the application's. Names of interrupt handlers: mps2_startup.cpp.
#pragma once

#include <cstdint>

#include "mcp/ports/board.hpp"

namespace board {

// ---- UART ----------------------------------------------------------------------------------------------------------

/// UART0 at 115200 baud, 8 data bits, no parity, 1 stop bit. It has no FIFO.
///
/// Receive: an interrupt fills a ring of MOTE_UART_RX_SIZE bytes of RAM (CMake; a power of two, default 256). While the
/// ring is full the receive interrupt is off and nothing in the ring is overwritten. The emulator then holds the sender
/// back; on hardware bytes are lost (and counted). So make the ring as long as the longest message if a handler may
/// keep the main loop busy for longer than the ring covers (86.8 us per byte).
///
/// Transmit: write() takes bytes for as long as the transmitter does (on hardware two) and then answers would_block;
/// wait_for_event() returns when there is room again.
///
/// 0xFF follows the byte behind which bytes were lost. It is never valid in UTF-8, so such a message is refused and
/// never taken for another one.
///
/// Context: main loop. Never blocks. Neither `closed` nor `failed` is ever returned.
mcp::ByteStream& uart0();

/// Times that bytes were lost since start-up. Wraps at 2^32. Context: main loop. Never blocks.
std::uint32_t uart0_errors();

// ---- Ethernet ------------------------------------------------------------------------------------------------------

/// The LAN9118 and its PHY, at the address that its EEPROM has.
///
/// Receive: frames wait in the FIFO of the hardware; what it has no room for is lost. Nothing is copied before
/// receive() is called.
///
/// Transmit: send() waits until the FIFO has room for the frame (up to 1.2 ms at 10 Mbit/s).
mcp::Ethernet& ethernet();

}  // namespace board
