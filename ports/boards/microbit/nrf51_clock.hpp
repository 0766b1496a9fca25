// SPDX-License-Identifier: Apache-2.0
// Functions of the clock for drivers of this board.
#pragma once

namespace board {

/// Ends the sleep of the main loop about 1 ms later. Context: main loop.
void wake_soon();

}  // namespace board
