// What an emulator or a debugger lends the board, which has neither a random source nor a calendar: those of the
// machine it runs on, by semihosting. On the board alone each call is a fault: an application for that brings its own.
#pragma once

#include <mcp/port.hpp>

namespace board {

/// The random numbers of the host's /dev/urandom. Context: main loop; blocks while the host answers.
class HostEntropy final : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t> into) override;
};

/// The time of the host when it is first asked for, in whole seconds; from then on the board's clock goes on from
/// there. Context: main loop; the first time it blocks while the host answers.
class HostWallClock final : public mcp::WallClock {
  std::uint64_t do_utc_ms() override;

  std::uint64_t asked_utc_ms_ = 0;
  mcp::Millis asked_ms_ = 0;
};

}  // namespace board
