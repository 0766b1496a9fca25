// The emulated board `virt` of QEMU with a 32-bit RISC-V processor (rv32imac, machine mode): UART, Ethernet (virtio)
// and clock. An executable that links mote::virt is a complete image: start-up, trap handler and linker script come
// along. Knows no MCP: bytes and milliseconds only.
//
// Taken by the port: the UART, the first virtio network device, the timer of the processor and the first entry of its
// memory protection (code and constants are read-only, which is the stack guard as well).
#pragma once

#include <cstdint>

#include "mcp/ports/board.hpp"

namespace board {

// ---- UART ----------------------------------------------------------------------------------------------------------

/// The NS16550 UART at 115200 baud, 8 data bits, no parity, 1 stop bit.
///
/// Receive: an interrupt fills a ring of MOTE_UART_RX_SIZE bytes of RAM (CMake; a power of two, default 256). While the
/// ring is full the receive interrupt is off and nothing in the ring is overwritten; the emulator holds the sender
/// back.
///
/// Transmit: write() takes bytes for as long as the transmitter does, and then answers would_block; wait_for_event()
/// returns when it can take one again. Its FIFO stays off.
///
/// A byte that arrived damaged (framing, parity, break) is replaced by 0xFF, and 0xFF follows where bytes were lost.
/// 0xFF is never valid in UTF-8, so a damaged message is refused and never taken for another one.
///
/// Context: main loop. Never blocks. Neither `closed` nor `failed` is ever returned.
mcp::ByteStream& uart0();

/// Bytes that arrived damaged, and times that bytes were lost, since start-up. Wraps at 2^32. Context: main loop. Never
/// blocks.
std::uint32_t uart0_errors();

// ---- Ethernet ------------------------------------------------------------------------------------------------------

/// The first virtio network device (virtio 1.0 or later, over MMIO), at the address that it says; without such a device
/// there is never a link.
///
/// Receive: up to 4 frames wait in RAM; what there is no room for, the emulator keeps or loses.
///
/// Transmit: up to 2 frames are on their way; send() waits for one of them for a moment and then refuses.
mcp::Ethernet& ethernet();

// ---- Interrupts ----------------------------------------------------------------------------------------------------

/// Switches the external interrupt `number` (1 to 15, the PLIC's) on: `handler` is called for it, with interrupts off.
/// Context: main loop. Never blocks.
void on_interrupt(unsigned number, void (*handler)());

}  // namespace board

/// Called for the software interrupt of the processor (a 1 in its register at 0x0200'0000 raises it); writes that 0
/// first. An application that uses it defines it; without, the interrupt is a fault.
extern "C" void software_interrupt_handler();
