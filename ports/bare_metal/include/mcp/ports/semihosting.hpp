// SPDX-License-Identifier: Apache-2.0
/// @file
/// Random bytes and the time of day of the host, for boards in an emulator or with a debugger (semihosting). On a board
/// alone each call is a processor fault: use another source there.
/// @code
/// constinit board::HostEntropy entropy;
/// std::uint32_t nonce() {
///   std::uint8_t bytes[4] = {};
///   if (!entropy.fill(bytes)) board::exit(1);
///   return std::bit_cast<std::uint32_t>(bytes);
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <mcp/port.hpp>

namespace board {

/// Random bytes of the host's /dev/urandom. Context: main loop; blocks until the host returns.
class HostEntropy final : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t> into) override;
};

/// The time of day of the host. The first call reads it, in whole seconds. After that, the clock of the board
/// continues.
/// Context: main loop; the first call blocks until the host returns.
class HostWallClock final : public mcp::WallClock {
  std::uint64_t do_utc_ms() override;

  std::uint64_t asked_utc_ms_ = 0;
  mcp::Millis asked_ms_ = 0;
};

}  // namespace board

#include <mcp/detail/epilogue.hpp>
