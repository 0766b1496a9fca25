// SPDX-License-Identifier: Apache-2.0
/// @file
/// The functions that each board has, with the same names. The header of a board, such as `mcp/ports/virt.hpp`,
/// includes this header and adds the functions of that board only. `ports/README.md` says how to add a board.
/// @code
/// [[noreturn]] void run(const mcp::Server& server) {
///   mcp::StdioTransport transport{server, board::uart0()};
///   for (;;) board::wait_for_event(transport.poll(board::millis()));
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <mcp/health.hpp>
#include <mcp/port.hpp>

#include "mcp/ports/ethernet.hpp"

namespace board {

// ---- Bytes and frames ----------------------------------------------------------------------------------------------

/// Returns the UART. The first call switches it on. Reads and writes never return `closed` or `failed`.
/// Context: main loop; never blocks.
mcp::ByteStream& uart0();

/// Overwrites the received bytes that uart0() has returned, which its driver still holds, with zeros. For a program
/// that receives secrets: call it after mcp::StdioTransport::wipe(). Context: main loop; takes about 1 us per 16 bytes
/// of MOTE_UART_RX_SIZE on a Cortex-M3 at 50 MHz, with interrupts off.
void wipe_uart0();

/// Writes one byte on the UART without interrupts: for mcp_fault(), as in `ring.dump(board::write_polled)` of an
/// mcp::TraceRing. It switches the UART on if it is off, and waits until all bytes before this one are sent, at most
/// about 10 ms. It does nothing in an image without a UART driver. Context: any, with interrupts off; blocks.
void write_polled(char byte);

/// Returns the Ethernet interface. The first call switches it on. A received frame ends wait_for_event().
/// Context: main loop.
mcp::Ethernet& ethernet();

// ---- Time and sleep ------------------------------------------------------------------------------------------------

/// Returns the milliseconds since start-up. Context: main loop or interrupt; never blocks.
mcp::Millis millis();

/// Sleeps until an event: received bytes, space for bytes to send, or a call of wake_from_isr(). It returns at once if
/// the event was between the last return and this call. It may also return without an event, so poll everything again.
/// Context: main loop; blocks for at most `timeout_ms` milliseconds (`mcp::forever`: no limit). The processor sleeps.
void wait_for_event(mcp::Millis timeout_ms);

/// Makes wait_for_event() return. Context: main loop or interrupt of the application; never blocks.
void wake_from_isr();

// ---- Start ---------------------------------------------------------------------------------------------------------

/// Returns the number of this start, for mcp::Services::boot_id: always the same until a reset, and never 0. After a
/// reset that leaves the RAM as it is, the number differs. After a loss of power it differs as far as the board has
/// random numbers (micro:bit, Netduino Plus 2). A board without them mixes its fastest counter with what the RAM
/// contains after power-on, so the number may repeat. It is not a secret. Context: main loop; the first call blocks for
/// at most 3 ms, and 100 ms if the random number generator fails.
std::uint32_t boot_id();

// ---- Watchdog ------------------------------------------------------------------------------------------------------

/// Why the board has started: `watchdog` if the main loop has not called wait_for_event() in time.
using ResetReason = mcp::ResetReason;

/// Starts the watchdog, which cannot be stopped. wait_for_event() feeds it, and nothing else does: a handler that hangs
/// resets the board `timeout_ms` milliseconds after the last call, at the latest. A sleep may be longer than that.
/// If the watchdog has caused the last reset, it first prints the line "mote: reset by the watchdog" on the UART.
/// With FlashRecords, `timeout_ms` must exceed its longest change, and the application must load a record before this
/// call. Otherwise the watchdog may interrupt the same erasure after each reset.
/// Limits: 4 to 171,000 ms; a board without a watchdog does not link. Context: main loop, once.
void start_watchdog(mcp::Millis timeout_ms);

/// Returns why the board has started, once: a second call returns `other`. mcp::Server::set_reset_reason() adds it to
/// the statistics. Context: main loop. Limits: as for start_watchdog(). A board whose registers do not say it, such as
/// the emulated LM3S6965EVB, takes a hang with interrupts off for `other`.
[[nodiscard]] ResetReason take_reset_reason();

// ---- Stack and end -------------------------------------------------------------------------------------------------

/// Returns the largest stack use in bytes since start-up, at most MOTE_STACK_SIZE. It looks for bytes that have changed
/// since start-up, so it misses bytes at the deepest end that were never written.
/// Context: main loop; takes about 10 us per KB of unused stack on a Cortex-M3 at 50 MHz.
[[nodiscard]] std::size_t stack_high_water();

/// Ends the program. An emulator or a debugger with semihosting exits with `status`. Without one, the processor sleeps
/// until reset. The start-up code calls it with the value that main() returns.
/// Context: main loop or interrupt; does not return.
[[noreturn]] void exit(int status);

/// The exit status in an emulator after a fault (see mcp_fault()).
inline constexpr int fault_status = 101;
/// The exit status in an emulator after MCP_ASSERT.
inline constexpr int assert_status = 102;

}  // namespace board

/// The board calls this function after a processor fault, an interrupt without a handler, or a call such as
/// std::abort(). Before that, the board has printed its line (`ports/README.md`). The application may define the
/// function, for example to reset the processor. If it returns, the board calls board::exit(fault_status).
/// Context: a new stack, with interrupts off. The state of the program is lost.
extern "C" void mcp_fault();

#include <mcp/detail/epilogue.hpp>
