// SPDX-License-Identifier: Apache-2.0
// Common start-up of all boards between the reset code and main(). For ports only.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "mcp/ports/board.hpp"

// The application's main(), under a name that C++ allows to call.
extern "C" int application_main() asm("main");

// Addresses, not objects: the linker script defines them.
extern "C" std::uint32_t mote_stack_bottom[], mote_stack_top[];
extern "C" char mote_data_start[], mote_data_end[], mote_bss_start[], mote_bss_end[];
extern "C" const char mote_data_load[];
extern "C" void (*const mote_init_array_start[])();
extern "C" void (*const mote_init_array_end[])();

namespace board {

/// Four different bytes, so that a stack frame rarely contains the pattern (and no compiler turns the loop into
/// memset).
inline constexpr std::uint32_t stack_paint = 0xC0DE'57AC;

/// Paints the stack, gives variables their initial values and clears the others. Called once, with the stack at
/// mote_stack_top, before anything that has a variable.
inline void begin_memory() {
  // Volatile, because the compiler knows no object in the rest of the stack. The part above is in use already.
  const auto* in_use = static_cast<std::uint32_t*>(__builtin_frame_address(0)) - 16;
  for (volatile std::uint32_t* word = mote_stack_bottom; word < in_use; word = word + 1) *word = stack_paint;

  std::memcpy(mote_data_start, mote_data_load, static_cast<std::size_t>(mote_data_end - mote_data_start));
  std::memset(mote_bss_start, 0, static_cast<std::size_t>(mote_bss_end - mote_bss_start));
}

/// Runs the constructors of global objects, then main(), then board::exit().
[[noreturn]] inline void run() {
  for (auto* construct = mote_init_array_start; construct != mote_init_array_end; ++construct) (*construct)();
  board::exit(application_main());
}

/// Replaced by the next value in the text of report(): eight hexadecimal digits.
inline constexpr char value_mark = '\1';

/// Prints `text` on the UART, with the next of `values` for each value_mark. Prints nothing if the image has no UART.
/// Context: on the way to the end of the image, with interrupts off. Blocks until the UART has sent the text, at most
/// until write_polled() gives up.
void report(const char* text, const std::uint32_t* values = nullptr);

/// Where the fault handler of every board ends, on a fresh stack with interrupts off.
[[noreturn]] inline void end_in_fault() {
  mcp_fault();
  board::exit(fault_status);
}

/// Supplied by the board, for boot_id(): random bits, or the bits of a fast counter. Context: main loop, once.
std::uint32_t boot_noise();

/// Supplied by a board whose clock does not run by itself: starts it. Called once, before main().
void start_clock();

/// Supplied by the board: an interrupt in `after_ms` milliseconds, or earlier, ends a sleep. Called with interrupts
/// off. It may set `is_alarm_set`.
void start_alarm(mcp::Millis after_ms);

/// While it is true, the sleep does not look at the clock after an interrupt that calls no wake_from_isr(), such as the
/// one of a byte. A board may set it in start_alarm() if the interrupt of the alarm sets it to false.
inline constinit std::atomic<bool> is_alarm_set;

}  // namespace board
