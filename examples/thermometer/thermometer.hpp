// The thermometer as its main() sees it. One for each way to reach it: main_posix.cpp, main_http.cpp,
// main_board.cpp.
#pragma once

#include <mcp/server.hpp>

#include <cstddef>

namespace thermometer {

/// Clients at the same time: a wire has one. And requests of clients without a session to be told of changes, which
/// cost 4 KB of flash: the image for the wire is as small as it can be, and has none.
#ifdef THERMOMETER_SESSIONS
inline constexpr std::size_t sessions = THERMOMETER_SESSIONS;
inline constexpr std::size_t listeners = 2;
#else
inline constexpr std::size_t sessions = 1;
inline constexpr std::size_t listeners = 0;
#endif

/// The longest message to a client, in bytes.
inline constexpr std::size_t window_size = 1024;

extern mcp::Server server;

/// Takes a sample when one is due. Returns the milliseconds until the next. Main loop: the sensor is behind a bus that
/// takes longer than an interrupt may (examples/meter has what one can read at once).
mcp::Millis sample(mcp::Millis now);

}  // namespace thermometer
