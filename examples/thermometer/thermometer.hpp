// The thermometer as its main() sees it. One for each way to reach it: main_posix.cpp, main_http.cpp,
// main_board.cpp.
#pragma once

#include <mcp/server.hpp>

#include <cstddef>

namespace thermometer {

/// Clients at the same time: a wire has one.
#ifdef THERMOMETER_SESSIONS
inline constexpr std::size_t sessions = THERMOMETER_SESSIONS;
#else
inline constexpr std::size_t sessions = 1;
#endif

/// Subscriptions of stateless clients at the same time. Also on a wire: a bridge to it speaks revision 2026-07-28.
inline constexpr std::size_t listeners = 2;

/// The longest message to a client, in bytes.
inline constexpr std::size_t transmit_size = 1024;

extern const mcp::Server server;

/// Takes a sample when one is due. Returns the milliseconds until the next. Main loop: the sensor is behind a bus that
/// takes longer than an interrupt may (examples/meter has what one can read at once).
mcp::Millis sample(mcp::Millis now);

}  // namespace thermometer
