// SPDX-License-Identifier: Apache-2.0
// Functions of the clock for drivers of this board.
#pragma once

#include <cstdint>

namespace board {

/// Returns microseconds since the start, which wrap at 2^32. Context: main loop and interrupts; never blocks.
std::uint32_t micros();

}  // namespace board
