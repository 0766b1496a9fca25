// SPDX-License-Identifier: Apache-2.0
// The emulated board for everything.cpp.
#include <mcp/ports/semihosting.hpp>

#include "everything.hpp"

namespace everything {

bool Entropy::do_fill(std::span<std::uint8_t> into) { return board::HostEntropy().fill(into); }

std::uint64_t WallClock::do_utc_ms() {
  static board::HostWallClock clock;
  return clock.utc_ms();
}

}  // namespace everything
