// SPDX-License-Identifier: Apache-2.0
/// @file
/// The TI LM3S6965EVB: a Cortex-M3 at 50 MHz with 256 KB of flash and 64 KB of RAM. An executable that links
/// mote::lm3s6965evb is a complete image, with start-up code, vector table and linker script.
/// @code
/// mcp::Errc read_presence(mcp::ReadResult& out) {
///   const mcp::BusError error = board::i2c0().probe(0x48);
///   return error == mcp::BusError::none ? out.text("present") : out.fail(mcp::remedy(error));
/// }
/// @endcode
///
/// The port uses UART0, Ethernet, I2C0, PF0, SysTick, timer 0 and two regions of the memory protection unit (the stack
/// guard, and read-only flash). In images that call on_button(), it also uses the interrupt of port F, and in those
/// that call pins() the ADC, the timers 1 to 3 and the interrupts of ports for which the application has no handler.
/// The application may use all other hardware. `lm3s6965_startup.cpp` has the names of the interrupt handlers.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <mcp/port.hpp>
#include <span>

#include "mcp/ports/board.hpp"
#include "mcp/ports/i2c.hpp"
#include "mcp/ports/pins.hpp"
#include "mcp/ports/pl011.hpp"

namespace board {

// ---- UART ----------------------------------------------------------------------------------------------------------

/// Returns UART0: 115,200 baud, 8 data bits, no parity, 1 stop bit (PA0 receives, PA1 transmits). The first call
/// switches it on. Bytes that arrive earlier are lost on hardware, and kept by the emulator.
///
/// Receive: an interrupt fills a ring of MOTE_UART_RX_SIZE bytes of RAM (CMake; a power of two, default 256). The ring
/// and the hardware FIFO of 16 bytes hold 23.6 ms of a busy line, half of the ring 11.1 ms. While the ring is full, the
/// receive interrupt is off. The emulator then stops the sender. On hardware the UART has no RTS and CTS pins, so bytes
/// are lost and counted when the FIFO is full, too. If a handler may run longer than half of the ring lasts, make the
/// ring longer, such as twice a message.
///
/// Transmit: write() takes bytes until the hardware FIFO is full (16 bytes, 1.4 ms), and then returns `would_block`.
/// wait_for_event() returns when there is space again.
///
/// Errors: 0xFF replaces a damaged byte (framing, parity, break) and lost bytes. It is never valid in UTF-8, so the
/// server rejects a damaged message. Reads and writes never return `closed` or `failed`. Context: main loop; never
/// blocks.
mcp::ByteStream& uart0();

/// Returns a copy of the counters of errors on the receive line. Context: main loop; never blocks.
UartErrors uart0_errors();

// ---- Ethernet ------------------------------------------------------------------------------------------------------

/// Returns the Ethernet controller and its PHY. The first call switches it on. Its address is in the USER registers,
/// and on the label of the board. A board without an address never has a link. In the emulator the link is always up.
///
/// Receive: frames wait in the hardware FIFO (2 KB). Frames that do not fit are lost. A frame ends wait_for_event().
///
/// Transmit: send() blocks until the previous frame is sent, for at most 1.2 ms at 10 Mbit/s. Context: main loop.
mcp::Ethernet& ethernet();

// ---- I2C -----------------------------------------------------------------------------------------------------------

/// Returns I2C0, such as for mcp::Tmp105 (mcp/devices/lm75.hpp): PB2 is SCL, PB3 is SDA, 100 kHz, external pull-ups.
/// The first transaction switches it on. Between write and read it sends a stop and a start. A transaction may have any
/// number of bytes. Errors: all but `unsupported` and `failed`. A missing device takes the time of one byte. The
/// emulator has no time and no lines, so it reports only `no_device`, and its recover() returns false. Context: main
/// loop; blocks for 90 us for each byte, and at most 6 ms longer (13 ms if a line stays low).
mcp::I2cBus& i2c0();

// ---- Pins ----------------------------------------------------------------------------------------------------------

/// Returns the inputs and outputs of the ports A to G. The number of a pin is 8 for each port before its own, and its
/// bit: PA0 is 0, PF1 is 41, PG1 is 49. An output reads the level that was written. Other functions are `unsupported`.
/// Errors: `no_pin`, and `busy` for a pin whose alternate function is on, such as those of JTAG, of UART0 after uart0()
/// and of I2C0 after its first transaction.
mcp::Pins& digital_pins();

/// Returns the pins of digital_pins(), with all functions. An image that calls this function must not use the ADC and
/// the timers 1 to 3. For a pin, use either these pins or digital_pins(), which end no pulses and no capture.
///
/// - Pulses: on at most 3 pins at the same time. The interrupts of the timers make the edges. An edge is late by the
///   time for which interrupts are off. Each of the two parts of a period takes 20 us or more: 1 kHz has 2 to 98 %.
///   Errors: `busy` for a fourth pin, `out_of_range` for a shorter part.
/// - Voltages: the numbers 0 to 3 are the analog inputs ADC0 to ADC3, which have no other function, and 4 is the
///   temperature sensor, with 2.7 V - (T + 55) / 75. 3 V are 1024 steps, and each conversion takes 10 us. Errors:
///   `no_pin`, `busy` if 3 pins have pulses, because a timer starts the conversions, and `failed` if one takes 100 ms.
///   The emulator has no voltages. Each input has 1500 to 1521 mV there, pseudo-random.
/// - Times of edges: the interrupt of the port stores them. input(), output() and pwm() of the pin end the capture.
///   With PinEdges::both, `has_lost` is set if a level is the same as at the edge before. Of 3 edges that come before
///   the interrupt runs, 2 are lost without a report. With one kind of edge, no lost edge is reported. Errors: `busy`
///   also if the application has a handler for the interrupt of the port, as on_button() has for port F.
///
/// Context: as mcp::Pins; a function that ends pulses or a capture also works with interrupts off.
mcp::Pins& pins();

// ---- LED -----------------------------------------------------------------------------------------------------------

/// Switches the status LED (PF0). Context: main loop; never blocks.
void led(bool on);

/// Returns whether the status LED is on. Context: main loop; never blocks.
[[nodiscard]] bool led();

// ---- Button --------------------------------------------------------------------------------------------------------

/// Sets the function for the SELECT button (PF1). Each time that the user releases the button, the interrupt of port F
/// calls `from_isr` and ends wait_for_event(). A contact that bounces calls it several times.
/// Context: main loop; never blocks. `from_isr` runs in the interrupt.
void on_button(void (*from_isr)());

}  // namespace board

#include <mcp/detail/epilogue.hpp>
