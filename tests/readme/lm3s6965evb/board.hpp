// SPDX-License-Identifier: Apache-2.0
// The functions that the firmware in README.md needs in addition to the port of its board.
#pragma once

#include <mcp/ports/lm3s6965evb.hpp>

#include <cstdint>

namespace board {

// The LED of this board is on or off.
inline void led(std::int32_t percent) { led(percent >= 50); }

}  // namespace board
