// SPDX-License-Identifier: Apache-2.0
// The functions that the example needs from its board, in addition to <mcp/ports/board.hpp>.
#pragma once

namespace tank {

/// Gives all interrupts the lowest priority. Those with a higher one than configMAX_SYSCALL_INTERRUPT_PRIORITY must not
/// call FreeRTOS, and after a reset all have the highest.
void lower_interrupts();

/// Starts a timer of 5 ms. Its interrupt calls measured_from_isr().
void start_measurement();

/// Supplied by the application.
void measured_from_isr();

}  // namespace tank
