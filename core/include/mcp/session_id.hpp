// SPDX-License-Identifier: Apache-2.0
/// @file
/// The id of a session.
/// @code
/// mcp::SessionId owner;  // all zero: no session owns the motor
/// mcp::Errc start_motor(mcp::Call& call) {
///   owner = call.session();
///   return call.result().text("The motor runs.");
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace mcp {

/// Names the session of a client: its slot, and a serial number. No other session of this server gets the same number
/// within 40 years (`mcp/memory/generation.hpp` gives the rate). All zero names no session.
/// Lifetime: valid until the session ends. After that, functions that take it do nothing, or return an error.
struct SessionId {
  std::uint16_t index = 0;        ///< The slot, below Limits::sessions.
  std::uint16_t serial_high = 0;  ///< The upper 16 bits of the serial number.
  std::uint32_t serial_low = 0;   ///< The lower 32 bits of the serial number.

  /// Returns whether both name the same session.
  friend constexpr bool operator==(const SessionId& a, const SessionId& b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  }
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
