// SPDX-License-Identifier: Apache-2.0
// The functions that the greenhouse needs from its platform. platform_posix.cpp is a PC, platform_board.cpp each board.
#pragma once

#include <mcp/port.hpp>

#include <cstdint>
#include <span>

namespace platform {

/// Milliseconds since some moment.
mcp::Millis now();

/// Milliseconds since 1970, or 0 if the device does not know the time of day.
std::uint64_t utc_ms();

/// The same for scheduled calls.
class Clock final : public mcp::WallClock {
  std::uint64_t do_utc_ms() override { return platform::utc_ms(); }
};

/// A number that differs after each reset; 0 on a PC, whose program a client starts itself.
std::uint32_t boot_id();

/// Random bytes, for the ids of tasks and for clients that retry their calls.
class Random final : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t> into) override;
};

}  // namespace platform
