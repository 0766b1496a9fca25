// SPDX-License-Identifier: Apache-2.0
// The functions that the firmware in README.md needs in addition to the port of its board.
#pragma once

#include <mcp/ports/lm3s6965evb.hpp>

#include <cstdint>

namespace board {

inline float celsius() {
  std::int32_t millidegrees = 0;
  static_cast<void>(read_millidegrees(millidegrees));
  return static_cast<float>(millidegrees) / 1000;
}

inline bool celsius_changed() { return false; }

// The LED of this board is on or off.
inline void led(std::int32_t percent) { led(percent >= 50); }

}  // namespace board
