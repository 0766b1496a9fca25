// SPDX-License-Identifier: Apache-2.0
/// @file
/// The pins of a Raspberry Pi Pico or Pico 2, in a project of the pico-sdk. CMake target: `mote::pico`.
/// @code
/// bool battery_is_low() {
///   constexpr std::uint8_t divider = 26;  // half of the battery is on GPIO 26
///   std::int32_t millivolts = 0;
///   return mcp::pico::pins().millivolts(divider, 16, millivolts) == mcp::PinError::none && millivolts < 1'700;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include "mcp/ports/pins.hpp"

namespace mcp::pico {

/// Returns the pins of the chip. The number of a pin is that of its GPIO. An image that does not call it contains
/// nothing of it.
///
/// - Levels: an output reads the level on its wire, which shows a short circuit. The pull-down of an RP2350 of stepping
///   A2 does not pull a wire low that was high (erratum RP2350-E9).
/// - Voltages: GPIO 26 to 29 (40 to 47 of an RP2350B) with the supply of 3.3 V as reference, and 30 (48), the
///   temperature sensor. The pin must be unused or an input. It becomes analog, so level() returns `failed` until
///   input() or output(). Each conversion takes 2 us.
/// - Timers of pulses: GPIO 2n and 2n + 1 have one timer, and so do pins whose numbers differ by 16 (RP2350B: see its
///   data sheet). Two pins of one timer that are both even, or both odd, have one duty, so the second one is `busy`.
/// - Periods of pulses: 2 to 16,711,425 clock cycles, 16 ns to 133 ms at 125 MHz. The dividers are whole numbers, so
///   pulses have no jitter. Up to 65,535 cycles are exact. Longer periods are exact if a suitable divider exists, and
///   rounded by at most 0.0016 % otherwise. `high_ns` is rounded to one cycle, or to 1/16,383 of a longer period.
/// - Times of edges: the GPIO interrupt of the core that calls begin_capture() stores them. With PinEdges::both, each
///   lost edge is reported. With one kind of edge, a second one before the interrupt runs is lost without a report.
///   input(), output() and pwm() of the pin end the capture. Other handlers, and the callback of the pico-sdk, continue
///   to work for other pins. A capture takes one of PICO_MAX_SHARED_IRQ_HANDLERS.
///
/// Errors: `busy` if the pin has the function of a peripheral, such as UART or PIO, or is a pin of the radio of Pico W
/// and Pico 2 W. Voltages: also while the ADC converts continuously. Pulses: also if the application uses the timer.
/// Edges: also if the application has enabled GPIO interrupts of the pin, or has an exclusive handler. `failed` if the
/// pin is in another mode. Limits: the pico-sdk ends the program if the pin of a capture has a raw handler without an
/// enabled event. Context: main loop of one core.
Pins& pins();

/// Returns the pins with levels alone, which takes a fraction of the flash. The other functions are `unsupported`. Use
/// it in place of pins(), not in addition. Errors, context: as pins().
Pins& digital_pins();

}  // namespace mcp::pico

#include <mcp/detail/epilogue.hpp>
