// The name of one client's session.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace mcp {

/// Names one client's session: its place, and a serial number that no other session of this server has for 40 years
/// (mcp/memory/generation.hpp says at which rate). It becomes invalid when the session ends: functions that take it
/// then do nothing, or report that. All zero names no session.
struct SessionId {
  std::uint16_t index = 0;  ///< Below Limits::sessions.
  std::uint16_t serial_high = 0;
  std::uint32_t serial_low = 0;

  friend constexpr bool operator==(SessionId a, SessionId b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  }
};

}  // namespace mcp
