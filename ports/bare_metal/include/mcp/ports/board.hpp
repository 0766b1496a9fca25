// What every board offers an application, by the same names; ports/README.md says how to add a board. The header with
// the name of a board (mcp/ports/virt.hpp) includes this one and adds what only that board has. Knows no MCP.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mcp/port.hpp>

#include "mcp/ports/ethernet.hpp"

namespace board {

// ---- Bytes and frames ----------------------------------------------------------------------------------------------

/// The UART. The first call switches it on. Never blocks, and never returns `closed` or `failed`. Context: main loop.
mcp::ByteStream& uart0();

/// The Ethernet interface. The first call switches it on; an interrupt ends wait_for_event() when a frame has come.
/// Context: main loop.
mcp::Ethernet& ethernet();

// ---- Time and sleep ------------------------------------------------------------------------------------------------

/// Milliseconds since start-up. Context: any, interrupts included. Never blocks.
mcp::Millis millis();

/// Sleeps until something happened: bytes were received, the UART can take bytes again, or an interrupt called
/// wake_from_isr(). Returns at once if that was already so after the last return. Returns also when `timeout_ms` has
/// passed on millis() (`mcp::forever`: no limit). May return without a reason: look at everything again.
/// Context: main loop. Blocks for up to `timeout_ms`; the processor stands still meanwhile.
void wait_for_event(mcp::Millis timeout_ms);

/// Makes wait_for_event() return. Context: any, meant for interrupts of the application. Never blocks.
void wake_from_isr();

// ---- Stack and end -------------------------------------------------------------------------------------------------

/// The most bytes of stack that were in use at once since start-up, of MOTE_STACK_SIZE. Reads the paint of start-up: a
/// lower bound, exact unless the deepest frame left its bytes untouched.
/// Context: main loop. Walks the unused part of the stack (on a 50 MHz Cortex-M3 about 10 us per KB).
[[nodiscard]] std::size_t stack_high_water();

/// Ends the image. Under an emulator or a debugger with semihosting, the emulator exits with `status`; on hardware
/// alone the processor sleeps until reset. Also called with what main() returns. Context: any. Does not return.
[[noreturn]] void exit(int status);

/// The exit status under emulation when a fault ended the image (see mcp_fault), and when MCP_ASSERT did.
inline constexpr int fault_status = 101;
inline constexpr int assert_status = 102;

}  // namespace board

/// Called after a processor fault, an interrupt without a handler, or a call of std::abort and its like, when the board
/// has printed its line (ports/README.md): on a fresh stack, interrupts off, the state of the program lost. Define it
/// in the application to do something better than the default, for example to reset the processor or to let the
/// watchdog bite; if it returns, the default follows: board::exit(fault_status). A processor without a debugger then
/// stands still until it is reset.
extern "C" void mcp_fault();
