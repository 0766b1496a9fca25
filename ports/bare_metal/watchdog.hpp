// SPDX-License-Identifier: Apache-2.0
// What a board with a watchdog supplies, and what it calls. For ports only.
#pragma once

#include "mcp/ports/board.hpp"

namespace board {

/// Supplied by the board: starts the timer. It resets the board when it was not fed for `timeout_ms`.
void begin_watchdog(mcp::Millis timeout_ms);

/// Supplied by the board: the timer begins again. Called with interrupts on.
void feed_watchdog();

/// Supplied by the board: whether a register says that the watchdog has caused the last reset, and clears it.
bool take_watchdog_reset();

/// The board calls it in the interrupt before the reset, if it has one, for processors whose registers do not say why
/// they were reset. The mark is in RAM that no start-up clears.
void mark_watchdog_reset();

/// Removes the mark: the main loop has fed the timer after the interrupt.
void clear_watchdog_mark();

}  // namespace board
