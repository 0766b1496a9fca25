// SPDX-License-Identifier: Apache-2.0
/// @file
/// The emulated board `virt` of QEMU with a 32-bit RISC-V processor (rv32imac, machine mode). An executable that links
/// mote::virt is a complete image, with start-up code, trap handler and linker script.
/// @code
/// void on_pulse() { board::wake_from_isr(); }
/// [[noreturn]] void run(const mcp::Server& server) {
///   mcp::StdioTransport transport{server, board::uart0()};
///   board::on_interrupt(11, on_pulse);
///   for (;;) board::wait_for_event(transport.poll(board::millis()));
/// }
/// @endcode
///
/// The port uses the UART, the first virtio network device, the timer of the processor, and the first entry of its
/// memory protection. Code and constants are read-only, which also stops a stack overflow.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>

#include "mcp/ports/board.hpp"
#include "mcp/ports/flash.hpp"

namespace board {

// ---- UART ----------------------------------------------------------------------------------------------------------

/// Returns the NS16550 UART: 115,200 baud, 8 data bits, no parity, 1 stop bit. The first call switches it on.
///
/// Receive: an interrupt fills a ring of MOTE_UART_RX_SIZE bytes of RAM (CMake; a power of two, default 256). While the
/// ring is full, the receive interrupt is off, and the emulator stops the sender.
///
/// Transmit: write() takes bytes as long as the transmitter does, and then returns `would_block`. wait_for_event()
/// returns when there is space again. The port leaves the transmit FIFO off.
///
/// Errors: 0xFF replaces a damaged byte (framing, parity, break) and marks lost bytes. It is never valid in UTF-8, so
/// the server rejects a damaged message. Reads and writes never return `closed` or `failed`. Context: main loop; never
/// blocks.
mcp::ByteStream& uart0();

/// Returns the number of damaged bytes, plus the number of times bytes were lost, since start-up. The counter wraps at
/// 2^32. Context: main loop; never blocks.
std::uint32_t uart0_errors();

// ---- Ethernet ------------------------------------------------------------------------------------------------------

/// Returns the first virtio network device (virtio 1.0 or later, over MMIO), with the address of the device. Without
/// such a device there is never a link. The first call switches it on.
///
/// Receive: up to 4 frames wait in RAM. The emulator keeps or discards further frames.
///
/// Transmit: up to 2 frames are in progress. send() waits a short time for one of them, and then returns false.
/// Context: main loop.
mcp::Ethernet& ethernet();

// ---- Flash ---------------------------------------------------------------------------------------------------------

/// Returns the first two blocks (256 KB each) of the second CFI flash, for mcp::FlashRecords. Units have 4 bytes. The
/// contents outlive a reset. With `toolchains/emulate virt IMAGE --flash FILE`, they outlive the emulator. The image
/// does not run from this flash, so code runs while it is erased.
/// Context: main loop; a call blocks until the flash is ready.
mcp::Flash& flash();

// ---- Interrupts ----------------------------------------------------------------------------------------------------

/// Enables the external interrupt `number` (1 to 15) of the PLIC. The interrupt calls `handler`, with interrupts off.
/// Context: main loop; never blocks.
void on_interrupt(unsigned number, void (*handler)());

}  // namespace board

/// The board calls this function for the software interrupt of the processor, after it has cleared the interrupt. A 1
/// in the register at 0x0200'0000 raises the interrupt. The application defines the function if it uses the interrupt.
/// Errors: without a definition, the interrupt is a fault. Context: interrupt.
extern "C" void software_interrupt_handler();

#include <mcp/detail/epilogue.hpp>
