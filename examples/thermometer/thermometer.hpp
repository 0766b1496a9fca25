// SPDX-License-Identifier: Apache-2.0
// The thermometer as its main() sees it. One for each way to reach it: main_posix.cpp, main_http.cpp,
// main_board.cpp.
#pragma once

#include <mcp/server.hpp>
#include <mcp/server_shape.hpp>

#include <cstddef>

namespace thermometer {

/// Clients at the same time: a wire has one.
#ifdef THERMOMETER_SESSIONS
inline constexpr std::size_t sessions = THERMOMETER_SESSIONS;
#else
inline constexpr std::size_t sessions = 1;
#endif

/// Subscriptions of stateless clients at the same time. Also on a wire, because a bridge may use revision 2026-07-28.
inline constexpr std::size_t listeners = 2;

/// The longest message of a client, in bytes.
inline constexpr std::size_t receive_size = 1280;

/// The longest message to a client, in bytes.
inline constexpr std::size_t transmit_size = 1024;

/// The facts about the server that an HTTP transport needs.
inline constexpr mcp::ServerShape shape{.sessions = sessions, .transmit_size = transmit_size, .has_logs = false};

extern const mcp::Server server;

/// Takes a sample if one is due. Returns the milliseconds until the next. Context: main loop, because the bus of the
/// sensor takes longer than an interrupt may (examples/meter reads in an interrupt).
mcp::Millis sample(mcp::Millis now);

}  // namespace thermometer
